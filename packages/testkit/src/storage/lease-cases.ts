import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Lease, LeaseStore } from "@artificer/protocol";
import { refusal } from "./refusal.js";
import type { StorageCase, StorageHarness } from "./storage-harness.js";
import { withOther } from "./with-other.js";

const hour = { ttlMs: 3_600_000 };

/** Runs with the leases of a storage that has them; what a storage does not declare it must not have. */
function withLeases(run: (leases: LeaseStore, harness: StorageHarness) => Promise<void>): StorageCase["run"] {
  return async (harness) => {
    const { leases, capabilities } = harness.storage;
    assert.equal(leases !== undefined, capabilities.leases);
    if (leases !== undefined) await run(leases, harness);
  };
}

/** Tries until it is free. */
async function takenLater(leases: LeaseStore, key: string): Promise<Lease> {
  for (;;) {
    const lease = await leases.acquire(key, hour);
    if (lease !== undefined) return lease;
    await delay(20);
  }
}

export const leaseCases: readonly StorageCase[] = [
  {
    id: "storage.leases.one-holder",
    title: "a lease that is held is given to nobody else, by no opening, until it is released",
    run: withLeases(async (leases, harness) => {
      await withOther(harness, async (other) => {
        const lease = await leases.acquire("jobs/nightly", hour);
        assert.equal(lease?.key, "jobs/nightly");
        assert.equal(await leases.acquire("jobs/nightly", hour), undefined);
        assert.equal(await other.leases?.acquire("jobs/nightly", hour), undefined);
        assert.ok(await leases.acquire("jobs", hour), "a key above it is another");
        assert.ok(lease);
        // A lease is data: whoever has it may release it.
        assert.equal(await other.leases?.release(lease), true);
        assert.equal(await leases.release(lease), false);
        assert.equal(await leases.renew(lease, hour), false);
        assert.ok(await other.leases?.acquire("jobs/nightly", hour));
      });
    }),
  },
  {
    id: "storage.leases.tokens-grow",
    title: "every holding of a key has a greater token than all before it, also after releases and another opening",
    run: withLeases(async (leases, harness) => {
      let last = 0;
      const next = async (from: LeaseStore) => {
        const lease = await from.acquire("k", hour);
        assert.ok(lease && Number.isSafeInteger(lease.token) && lease.token > last, `${lease?.token} after ${last}`);
        last = lease.token;
        assert.equal(await from.release(lease), true);
      };
      for (let round = 0; round < 3; round++) await next(leases);
      await withOther(harness, (other) => next(other.leases as LeaseStore));
    }),
  },
  {
    id: "storage.leases.expire",
    title: "a lease whose time is up is free; its holder can neither renew it nor release that of the next",
    run: withLeases(async (leases) => {
      const first = await leases.acquire("k", { ttlMs: 100 });
      assert.ok(first);
      const second = await takenLater(leases, "k");
      assert.ok(second.token > first.token);
      assert.equal(await leases.renew(first, hour), false);
      assert.equal(await leases.release(first), false);
      assert.equal(await leases.acquire("k", hour), undefined);
      assert.equal(await leases.renew(second, hour), true);
    }),
  },
  {
    id: "storage.leases.lost-is-lost",
    title: "a lease whose time is up can't be had back by renewing it, though nobody took it",
    run: withLeases(async (leases) => {
      const lease = await leases.acquire("k", { ttlMs: 1 });
      assert.ok(lease);
      await delay(50);
      assert.equal(await leases.renew(lease, hour), false);
      assert.ok(await leases.acquire("k", hour));
    }),
  },
  {
    id: "storage.leases.renewed",
    title: "a lease that is renewed is held beyond the time it was taken for",
    run: withLeases(async (leases) => {
      const lease = await leases.acquire("k", { ttlMs: 2_000 });
      assert.ok(lease);
      assert.equal(await leases.renew(lease, hour), true);
      await delay(2_200);
      assert.equal(await leases.acquire("k", hour), undefined);
      assert.equal(await leases.renew(lease, { ttlMs: 1 }), true);
      assert.ok(await takenLater(leases, "k"));
    }),
  },
  {
    id: "storage.leases.rivals",
    title: "of fifty that want it at once one gets it, and over many turns never two have it",
    timeoutMs: 120_000,
    run: withLeases(async (leases, harness) => {
      await withOther(harness, async (other) => {
        const both = [leases, other.leases as LeaseStore];
        const rival = (index: number) => both[index % 2] as LeaseStore;
        const taken = await Promise.all(Array.from({ length: 50 }, (_, index) => rival(index).acquire("once", hour)));
        assert.equal(taken.filter((lease) => lease !== undefined).length, 1);

        let holders = 0;
        const tokens: number[] = [];
        const work = async (index: number) => {
          for (let turns = 0; turns < 4; ) {
            const lease = await rival(index).acquire("turns", hour);
            if (lease === undefined) {
              await delay(Math.random() * 5);
              continue;
            }
            turns++;
            tokens.push(lease.token);
            assert.equal(++holders, 1, "two hold it");
            await delay(1);
            holders--;
            assert.equal(await rival(index).release(lease), true);
          }
        };
        await Promise.all(Array.from({ length: 10 }, (_, index) => work(index)));
        assert.equal(tokens.length, 40);
        assert.ok(
          tokens.every((token, at) => at === 0 || token > (tokens[at - 1] as number)),
          `tokens in order: ${tokens}`,
        );
      });
    }),
  },
  {
    id: "storage.leases.refused",
    title: "times that can't be, and keys that can't be, are refused",
    run: withLeases(async (leases) => {
      for (const ttlMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 86_400_001, "5" as never])
        await refusal("usage/invalid-argument", leases.acquire("k", { ttlMs }));
      for (const key of ["", "../k", ".k", "a//b"]) await refusal("storage/invalid-key", leases.acquire(key, hour));
      assert.ok(await leases.acquire("k", hour));
    }),
  },
];

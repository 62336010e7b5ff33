import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Lease, LeaseStore, RecordStore } from "@artificer/protocol";
import { refusal } from "./refusal.js";
import type { StorageCase } from "./storage-harness.js";
import { withOther } from "./with-other.js";

const hour = { ttlMs: 3_600_000 };

async function held(leases: LeaseStore | undefined, key: string): Promise<Lease> {
  for (;;) {
    const lease = await leases?.acquire(key, hour);
    if (lease !== undefined) return lease;
    await delay(5);
  }
}

async function stored(records: RecordStore, key: string): Promise<unknown> {
  return (await records.get(key))?.value;
}

/** Writes under a lease. A storage without leases can't give one. */
export const fenceCases: readonly StorageCase[] = [
  {
    id: "storage.records.fence",
    title:
      "a record is written under a lease until another has held it, in whatever other way the write is conditional",
    async run({ storage: { records, leases } }) {
      if (leases === undefined) return;
      const first = await held(leases, "jobs/one");
      const revision = await records.put("state", { by: 1 }, { fence: first, ifRevision: null });
      assert.ok(await records.put("state", { by: 1, n: 2 }, { fence: first, ifRevision: revision }));
      await records.put("other", { by: 1 }, { fence: first });
      assert.equal(await records.delete("other", { fence: first }), true);
      assert.equal(await records.delete("other", { fence: first }), false);
      await refusal("storage/conflict", records.put("state", { by: 0 }, { fence: first, ifRevision: null }));
      await refusal("storage/conflict", records.put("state", { by: 0 }, { fence: first, ifRevision: revision }));
      await refusal("storage/conflict", records.delete("state", { fence: first, ifRevision: revision }));
      assert.equal(await leases.release(first), true);
      assert.ok(await records.put("state", { by: 1, n: 3 }, { fence: first }), "nobody came after it");

      const second = await held(leases, "jobs/one");
      const kept = await records.get("state");
      assert.deepEqual(kept?.value, { by: 1, n: 3 });
      for (const ifRevision of [undefined, null, kept?.revision, "another"]) {
        await refusal("storage/fenced", records.put("state", { by: 0 }, { fence: first, ifRevision }));
        await refusal("storage/fenced", records.put("absent", { by: 0 }, { fence: first, ifRevision }));
        await refusal("storage/fenced", records.delete("state", { fence: first, ifRevision }));
        await refusal("storage/fenced", records.delete("absent", { fence: first, ifRevision }));
      }
      assert.deepEqual(await records.get("state"), kept);
      assert.equal(await records.get("absent"), undefined);
      assert.ok(await records.put("state", { by: 2 }, { fence: second, ifRevision: kept?.revision }));
      const other = await held(leases, "jobs/two");
      assert.ok(await records.put("state", { by: 3 }, { fence: other }), "another lease's tokens do not count");
      assert.ok(await records.put("state", { by: 4 }), "a write without one is no business of the lease");
    },
  },
  {
    id: "storage.records.fence-race",
    title: "who stood still writes before the next holder or not at all, however close they come, in two openings too",
    timeoutMs: 120_000,
    async run(harness) {
      const { records, leases } = harness.storage;
      if (leases === undefined) return;
      await withOther(harness, async (other) => {
        for (let round = 0; round < 40; round++) {
          const key = `race/${round}`;
          const stale = await held(leases, key);
          await leases.release(stale);
          const writeLate = () =>
            Array.from({ length: 5 }, (_, n) => records.put(key, { token: stale.token, n }, { fence: stale }));
          const goOn = async () => {
            const lease = await held(other.leases, key);
            // Nobody before him writes from here on: what he finds is what he goes on from.
            const found = await stored(other.records, key);
            await delay(round % 3);
            assert.deepEqual(
              await stored(other.records, key),
              found,
              "an earlier holder wrote after the next one looked",
            );
            await other.records.put(key, { token: lease.token }, { fence: lease });
          };
          // One begins, then the other.
          const early = round % 2 === 0 ? writeLate() : [];
          const next = goOn();
          const late = [...early, ...(round % 2 === 0 ? [] : writeLate())];
          for (const result of await Promise.allSettled(late))
            if (result.status === "rejected") await refusal("storage/fenced", Promise.reject(result.reason));
          await next;
          assert.deepEqual(await stored(records, key), { token: 2 });
        }
      });
    },
  },
  {
    id: "storage.records.fence-refused",
    title: "a fence that can't be a lease is refused, and nothing is written",
    async run({ storage: { records, leases } }) {
      if (leases === undefined) return;
      for (const token of [0, -1, 1.5, Number.NaN, "1" as never])
        await refusal("usage/invalid-argument", records.put("k", {}, { fence: { key: "k", token } }));
      await refusal("storage/invalid-key", records.put("k", {}, { fence: { key: "../k", token: 1 } }));
      await refusal("storage/invalid-key", records.delete("k", { fence: { key: "", token: 1 } }));
      assert.equal(await records.get("k"), undefined);
    },
  },
];

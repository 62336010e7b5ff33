import assert from "node:assert/strict";
import { refusal } from "./refusal.js";
import type { StorageCase } from "./storage-harness.js";

const nested = { text: "é\u2028\u0000😀", list: [1, null, true, { deep: [] }], number: -0.5, empty: {}, "": "no name" };

export const recordCases: readonly StorageCase[] = [
  {
    id: "storage.records.round-trip",
    title: "a record comes back equal, with its key and the revision that put gave",
    async run({ storage: { records } }) {
      const revision = await records.put("a/b", nested);
      assert.deepEqual(await records.get("a/b"), { key: "a/b", value: nested, revision });
    },
  },
  {
    id: "storage.records.absent",
    title: "an absent record is undefined, which an empty one is not",
    async run({ storage: { records } }) {
      assert.equal(await records.get("nothing"), undefined);
      await records.put("empty", {});
      assert.deepEqual((await records.get("empty"))?.value, {});
    },
  },
  {
    id: "storage.records.copies",
    title: "changing a value after put or after get changes nothing that is stored",
    async run({ storage: { records } }) {
      const value = { list: [1] };
      await records.put("k", value);
      value.list.push(2);
      const first = await records.get("k");
      assert.ok(first, "the record is gone");
      assert.deepEqual(first.value, { list: [1] });
      (first.value.list as number[]).push(3);
      assert.deepEqual((await records.get("k"))?.value, { list: [1] });
    },
  },
  {
    id: "storage.records.not-json",
    title: "a value that is no JSON object is refused and changes nothing",
    async run({ storage: { records } }) {
      const cycle: { self?: never } = {};
      cycle.self = cycle as never;
      await refusal("usage/invalid-argument", records.put("k", cycle as never));
      await refusal("usage/invalid-argument", records.put("k", [1] as never));
      await refusal("usage/invalid-argument", records.put("k", null as never));
      assert.equal(await records.get("k"), undefined);
    },
  },
  {
    id: "storage.records.revision-changes",
    title: "every put gives another revision, also of an equal value and after a delete",
    async run({ storage: { records } }) {
      const seen = new Set<string>();
      for (let round = 0; round < 3; round++) {
        seen.add(await records.put("k", { same: true }));
        seen.add(await records.put("k", { same: true }));
        await records.delete("k");
      }
      assert.equal(seen.size, 6);
    },
  },
  {
    id: "storage.records.stale-revision",
    title: "put and delete with a stale revision are refused and change nothing",
    async run({ storage: { records } }) {
      const stale = await records.put("k", { version: 1 });
      const revision = await records.put("k", { version: 2 });
      const error = await refusal("storage/conflict", records.put("k", { version: 3 }, { ifRevision: stale }));
      assert.match(error.message, /\bk\b/, "the message names the key");
      assert.ok(error.hint, "the hint says how to go on");
      await refusal("storage/conflict", records.delete("k", { ifRevision: stale }));
      assert.deepEqual(await records.get("k"), { key: "k", value: { version: 2 }, revision });
    },
  },
  {
    id: "storage.records.right-revision",
    title: "put and delete with the stored revision go through",
    async run({ storage: { records } }) {
      const first = await records.put("k", { version: 1 });
      const second = await records.put("k", { version: 2 }, { ifRevision: first });
      assert.deepEqual((await records.get("k"))?.value, { version: 2 });
      assert.equal(await records.delete("k", { ifRevision: second }), true);
      assert.equal(await records.get("k"), undefined);
    },
  },
  {
    id: "storage.records.revision-of-absent",
    title: "a revision is refused where nothing is stored, and nothing appears",
    async run({ storage: { records } }) {
      const gone = await records.put("k", {});
      await records.delete("k");
      await refusal("storage/conflict", records.put("k", {}, { ifRevision: gone }));
      await refusal("storage/conflict", records.delete("k", { ifRevision: gone }));
      assert.equal(await records.get("k"), undefined);
    },
  },
  {
    id: "storage.records.if-absent",
    title: "ifRevision null writes only where nothing is stored",
    async run({ storage: { records } }) {
      await records.put("k", { version: 1 }, { ifRevision: null });
      await refusal("storage/conflict", records.put("k", { version: 2 }, { ifRevision: null }));
      await refusal("storage/conflict", records.delete("k", { ifRevision: null }));
      assert.deepEqual((await records.get("k"))?.value, { version: 1 });
      await records.delete("k");
      assert.equal(await records.delete("k", { ifRevision: null }), false);
      await records.put("k", { version: 3 }, { ifRevision: null });
      assert.deepEqual((await records.get("k"))?.value, { version: 3 });
    },
  },
  {
    id: "storage.records.delete",
    title: "delete tells whether there was one, and takes only that one",
    async run({ storage: { records } }) {
      await records.put("a", { n: 1 });
      await records.put("ab", { n: 2 });
      await records.put("a/b", { n: 3 });
      assert.equal(await records.delete("a"), true);
      assert.equal(await records.delete("a"), false);
      assert.deepEqual(
        (await records.list("")).items.map(({ key }) => key),
        ["a/b", "ab"],
      );
    },
  },
  {
    id: "storage.records.one-winner",
    title: "of many writers with one revision exactly one wins, each round",
    timeoutMs: 120_000,
    async run({ storage: { records } }) {
      let revision: string | null = null;
      for (let round = 0; round < 5; round++) {
        const attempts = await Promise.allSettled(
          Array.from({ length: 12 }, (_, writer) => records.put("k", { round, writer }, { ifRevision: revision })),
        );
        const winners = attempts.flatMap((attempt, writer) =>
          attempt.status === "fulfilled" ? [{ writer, revision: attempt.value }] : [],
        );
        assert.equal(winners.length, 1, `round ${round} had ${winners.length} winners`);
        const stored = await records.get("k");
        assert.deepEqual(stored?.value, { round, writer: winners[0]?.writer });
        assert.equal(stored?.revision, winners[0]?.revision);
        revision = stored?.revision ?? null;
      }
    },
  },
  {
    id: "storage.records.nothing-lost",
    title: "a counter that 50 compare-and-set loops raise at once ends at 50",
    timeoutMs: 120_000,
    async run({ storage: { records } }) {
      await records.put("counter", { n: 0 });
      const raise = async () => {
        for (;;) {
          const stored = await records.get("counter");
          assert.ok(stored, "the counter is gone");
          try {
            await records.put("counter", { n: Number(stored.value.n) + 1 }, { ifRevision: stored.revision });
            return;
          } catch (error) {
            await refusal("storage/conflict", Promise.reject(error));
          }
        }
      };
      await Promise.all(Array.from({ length: 50 }, raise));
      assert.deepEqual((await records.get("counter"))?.value, { n: 50 });
    },
  },
  {
    id: "storage.records.whole-reads",
    title: "a reader sees one version whole while writers write",
    timeoutMs: 120_000,
    async run({ storage: { records } }) {
      const value = (n: number) => ({ n, filler: String(n).repeat(20_000) });
      await records.put("k", value(0));
      let writing = true;
      const writer = (async () => {
        for (let n = 1; n <= 9; n++) await records.put("k", value(n));
      })().finally(() => {
        writing = false;
      });
      do {
        const stored = await records.get("k");
        assert.deepEqual(stored?.value, value(Number(stored?.value.n)));
      } while (writing);
      await writer;
    },
  },
];

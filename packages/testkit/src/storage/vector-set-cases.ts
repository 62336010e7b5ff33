import assert from "node:assert/strict";
import type { VectorStore } from "@artificer/protocol";
import { refusal } from "./refusal.js";
import type { StorageCase } from "./storage-harness.js";
import { cosineOf, unitVectors } from "./unit-vectors.js";
import { withOther } from "./with-other.js";
import { axis, idsOf, near, withVectors } from "./with-vectors.js";

/** Large sets, and several openings of one. */
export const vectorSetCases: readonly StorageCase[] = [
  {
    id: "storage.vectors.recall",
    title:
      "among thousands, of the ten nearest by an exact scan at least 95 in 100 are found, also once some were replaced",
    timeoutMs: 240_000,
    run: withVectors(async (vectors) => {
      const dimensions = 96;
      const all = unitVectors(3_000, dimensions, 11);
      const fresh = unitVectors(300, dimensions, 12);
      const put = (some: readonly Float32Array[], from: number) =>
        vectors.put(
          "large",
          some.map((vector, at) => ({ id: `v${from + at}`, vector })),
        );
      for (let from = 0; from < all.length; from += 500) await put(all.slice(from, from + 500), from);
      await put(fresh, 0);
      const gone = Array.from({ length: 200 }, (_, at) => `v${1_000 + at}`);
      assert.equal(await vectors.delete("large", gone), 200);
      const present = new Map(all.map((vector, at) => [`v${at}`, fresh[at] ?? vector]));
      for (const id of gone) present.delete(id);

      let found = 0;
      const queries = unitVectors(3_000, dimensions, 11).filter((_, at) => at % 75 === 0);
      for (const query of queries) {
        const exact = [...present]
          .map(([id, vector]) => ({ id, score: cosineOf(vector, query) }))
          .sort((left, right) => right.score - left.score)
          .slice(0, 10);
        const hits = await vectors.nearest("large", query, { limit: 10 });
        assert.equal(hits.length, 10);
        for (const { id, score } of hits) near(score, cosineOf(present.get(id) as Float32Array, query), id);
        assert.ok(
          hits.every(({ score }, at) => at === 0 || score <= (hits[at - 1]?.score as number)),
          "not the best first",
        );
        const ids = new Set(idsOf(hits));
        found += exact.filter(({ id }) => ids.has(id)).length;
      }
      const recall = found / (10 * queries.length);
      assert.ok(recall >= (vectors.approximate ? 0.95 : 1), `recall@10 is ${recall}`);
      assert.equal((await vectors.nearest("large", queries[0] as Float32Array, { limit: 1_000 })).length, 1_000);
    }),
  },
  {
    id: "storage.vectors.small-beside-large",
    title: "a small set beside a large one gives all that it has",
    timeoutMs: 120_000,
    run: withVectors(async (vectors) => {
      const large = unitVectors(2_000, 32, 21);
      await vectors.put(
        "large",
        large.map((vector, at) => ({ id: `large${at}`, vector })),
      );
      const small = unitVectors(7, 32, 22);
      const ids = small.map((_, at) => `small${at}`);
      await vectors.put(
        "small",
        small.map((vector, at) => ({ id: ids[at] as string, vector })),
      );
      for (const query of large.slice(0, 5)) {
        assert.deepEqual(idsOf(await vectors.nearest("small", query, { limit: 10 })).sort(), ids);
        assert.equal((await vectors.nearest("large", query, { limit: 10 })).length, 10);
      }
    }),
  },
  {
    id: "storage.vectors.writers",
    title:
      "writers at once that put and delete the same vectors, in all orders, lose nothing and hinder nobody for good",
    timeoutMs: 120_000,
    run: withVectors(async (vectors, harness) => {
      await withOther(harness, async (other) => {
        const both = [vectors, other.vectors as VectorStore];
        const all = unitVectors(40, 16, 5);
        const entries = all.map((vector, at) => ({ id: `v${at}`, vector }));
        await Promise.all(
          Array.from({ length: 12 }, async (_, writer) => {
            const mine = both[writer % 2] as VectorStore;
            const order = writer % 3 === 0 ? entries : [...entries].reverse();
            await mine.put("shared", order);
            await mine.put("shared", [{ id: `own${writer}`, vector: all[writer] as Float32Array }]);
            if (writer % 4 === 0) await mine.delete("gone", ["v1", "v0"]);
            else await mine.put("gone", order.slice(0, 2));
          }),
        );
        assert.equal(await vectors.count("shared"), 52);
        assert.deepEqual(await vectors.missing("shared", idsOf(entries)), []);
        const [first] = await (other.vectors as VectorStore).nearest("shared", all[20] as Float32Array, { limit: 1 });
        assert.equal(first?.id, "v20");
      });
    }),
  },
  {
    id: "storage.vectors.drop-and-put",
    title: "a put beside a drop is there afterwards or not, and a set that was dropped elsewhere begins anew",
    timeoutMs: 60_000,
    run: withVectors(async (vectors, harness) => {
      await withOther(harness, async (other) => {
        const theirs = other.vectors as VectorStore;
        await vectors.put("s", [{ id: "old", vector: axis(0) }]);
        assert.equal(await theirs.count("s"), 1);
        assert.equal(await theirs.drop("s"), true);
        assert.deepEqual(await vectors.nearest("s", axis(0)), []);
        await theirs.put("s", [{ id: "new", vector: axis(0, 4) }]);
        assert.deepEqual(idsOf(await vectors.nearest("s", axis(0, 4))), ["new"]);
        await vectors.put("s", [{ id: "newer", vector: axis(1, 4) }]);
        await refusal("storage/vector-mismatch", vectors.put("s", [{ id: "old", vector: axis(0) }]));
        assert.equal(await theirs.count("s"), 2);
        const some = (round: number, count: number) =>
          Array.from({ length: count }, (_, at) => ({ id: `v${at}`, vector: axis((round + at) % 4, 4) }));
        for (let round = 0; round < 6; round++) {
          // Some that are there and change, and some that are new, against a drop of all.
          await Promise.all([vectors.put("s", some(round, 30)), theirs.drop("s"), theirs.put("s", some(round, 20))]);
          assert.ok((await vectors.count("s")) <= 30, "what was dropped is there");
          await vectors.put("s", some(2, 10));
          assert.deepEqual(await theirs.missing("s", idsOf(some(2, 10))), []);
          near((await theirs.nearest("s", axis(2, 4)))[0]?.score, 1);
        }
      });
    }),
  },
  {
    id: "storage.vectors.durable",
    title: "vectors of a durable storage are there when it is opened again",
    run: withVectors(async (vectors, { storage, reopen }) => {
      if (reopen === undefined) return;
      await vectors.put("s", [{ id: "a", vector: axis(1) }]);
      await storage.close();
      const again = await reopen();
      try {
        const hits = await again.vectors?.nearest("s", axis(1));
        assert.deepEqual(
          hits?.map(({ id }) => id),
          ["a"],
        );
      } finally {
        await again.close();
      }
    }),
  },
];

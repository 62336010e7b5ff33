import assert from "node:assert/strict";
import { refusal } from "./refusal.js";
import type { StorageCase } from "./storage-harness.js";
import { unitVector, unitVectors } from "./unit-vectors.js";
import { axis, idsOf, near, withVectors } from "./with-vectors.js";

/** Ids that a store may take for something else than a text. */
const hostileIds = [
  "'; DROP TABLE vectors; --",
  '"quoted"',
  "a\0b",
  "line\nbreak\r\n",
  "{1,2}",
  "\\x00",
  "%_*?[]",
  "../up",
  "a/b",
  " space ",
  "é",
  "e\u0301",
  "𝔘𝔫𝔦",
  "NULL",
  "0",
  "x".repeat(512),
];

export const vectorCases: readonly StorageCase[] = [
  {
    id: "storage.vectors.nearest",
    title: "the nearest come best first, with their cosines, and no more than the limit",
    run: withVectors(async ({ put, nearest }) => {
      const entries = [
        { id: "same", vector: axis(0) },
        { id: "close", vector: unitVector([0.9, 0.1, 0]) },
        { id: "across", vector: axis(1) },
        { id: "opposite", vector: unitVector([-1, 0, 0]) },
      ];
      await put("s/one", entries);
      const hits = await nearest("s/one", axis(0));
      assert.deepEqual(idsOf(hits), ["same", "close", "across", "opposite"]);
      for (const [at, score] of [1, 0.99388, 0, -1].entries()) near(hits[at]?.score, score, hits[at]?.id);
      assert.deepEqual(idsOf(await nearest("s/one", axis(1), { limit: 1 })), ["across"]);
      assert.deepEqual(idsOf(await nearest("s/one", axis(0), { limit: 3 })), ["same", "close", "across"]);
    }),
  },
  {
    id: "storage.vectors.absent",
    title: "a set that is not there is empty, and what is not in a set is not given",
    run: withVectors(async (vectors) => {
      assert.deepEqual(await vectors.nearest("none", axis(0)), []);
      assert.equal(await vectors.count("none"), 0);
      assert.equal(await vectors.drop("none"), false);
      assert.equal(await vectors.delete("none", ["a"]), 0);
      assert.equal((await vectors.get("none", ["a"])).size, 0);
      assert.deepEqual(await vectors.missing("none", ["a", "b"]), ["a", "b"]);
      await vectors.put("none", []);
      assert.equal(await vectors.drop("none"), false, "nothing was put, and a set is there");
      await vectors.put("some", [{ id: "b", vector: axis(0) }]);
      assert.deepEqual([...(await vectors.get("some", ["a", "b"])).keys()], ["b"]);
      assert.deepEqual(await vectors.missing("some", ["c", "b", "a"]), ["c", "a"]);
      assert.deepEqual(await vectors.missing("some", []), []);
    }),
  },
  {
    id: "storage.vectors.numbers",
    title: "the numbers come back as they were put, and neither side's array is the store's",
    run: withVectors(async ({ put, get }) => {
      const [vector = axis(0)] = unitVectors(1, 100, 7);
      const given = vector.slice();
      await put("s", [{ id: "a", vector: given }]);
      given.fill(0);
      const read = (await get("s", ["a"])).get("a");
      assert.equal(read?.length, 100);
      for (let at = 0; at < 100; at++)
        assert.ok(Math.abs((read?.[at] as number) - (vector[at] as number)) < 1e-6, `number ${at} is another`);
      read?.fill(0);
      near((await get("s", ["a"])).get("a")?.[5], vector[5] as number);
    }),
  },
  {
    id: "storage.vectors.replaced",
    title: "a vector put again takes the place of the one before, and of two in one put the later counts",
    run: withVectors(async (vectors) => {
      await vectors.put("s", [
        { id: "a", vector: axis(0) },
        { id: "b", vector: axis(1) },
      ]);
      for (let round = 0; round < 3; round++) await vectors.put("s", [{ id: "a", vector: axis(2) }]);
      assert.equal(await vectors.count("s"), 2);
      const [first] = await vectors.nearest("s", axis(2));
      assert.equal(first?.id, "a");
      near(first?.score, 1);
      near((await vectors.nearest("s", axis(0)))[0]?.score, 0, "the vector before is still found");
      await vectors.put("s", [
        { id: "b", vector: axis(2) },
        { id: "b", vector: axis(0) },
      ]);
      assert.equal((await vectors.nearest("s", axis(0)))[0]?.id, "b");
    }),
  },
  {
    id: "storage.vectors.delete",
    title: "what is deleted is found no more, is told by number, and may be put again",
    run: withVectors(async (vectors) => {
      await vectors.put(
        "s",
        [0, 1, 2].map((at) => ({ id: `v${at}`, vector: axis(at) })),
      );
      assert.equal(await vectors.delete("s", ["v0", "v0", "v1", "none"]), 2);
      assert.equal(await vectors.delete("s", ["v0"]), 0);
      assert.equal(await vectors.delete("s", []), 0);
      assert.deepEqual(idsOf(await vectors.nearest("s", axis(0))), ["v2"]);
      assert.equal(await vectors.count("s"), 1);
      await vectors.put("s", [{ id: "v0", vector: axis(0) }]);
      assert.equal((await vectors.nearest("s", axis(0)))[0]?.id, "v0");
    }),
  },
  {
    id: "storage.vectors.sets-apart",
    title: "sets never see each other's vectors, though one's name begins with the other's and models differ",
    run: withVectors(async (vectors, { storage }) => {
      const names = ["m/one", "m/one/deeper", "m/one-b", "m/two"];
      for (const [n, name] of names.entries())
        await vectors.put(
          name,
          Array.from({ length: n + 2 }, (_, at) => ({ id: `v${at}`, vector: axis(at, n + 2) })),
        );
      for (const [n, name] of names.entries()) {
        assert.equal(await vectors.count(name), n + 2, name);
        assert.equal((await vectors.nearest(name, axis(0, n + 2), { limit: 100 })).length, n + 2, name);
      }
      assert.equal(await vectors.delete("m/one", ["v0"]), 1);
      assert.equal(await vectors.drop("m/two"), true);
      assert.deepEqual(await vectors.nearest("m/two", axis(0, 5)), []);
      assert.equal(await vectors.count("m/one/deeper"), 3);
      assert.equal((await vectors.nearest("m/one/deeper", axis(0, 3)))[0]?.id, "v0");
      assert.deepEqual((await storage.records.list("m/")).items, [], "a set shows as a record");
      assert.deepEqual((await storage.blobs.list("m/")).items, [], "a set shows as a blob");
      await storage.records.put("m/one", { n: 1 });
      assert.equal(await vectors.count("m/one"), 1);
    }),
  },
  {
    id: "storage.vectors.dimensions",
    title: "a vector of other dimensions than its set's is refused whole, until the set is dropped",
    run: withVectors(async (vectors) => {
      await vectors.put("s", [{ id: "a", vector: axis(0) }]);
      const mixed = [
        { id: "b", vector: axis(1) },
        { id: "c", vector: axis(0, 4) },
      ];
      await refusal("storage/vector-mismatch", vectors.put("s", mixed));
      await refusal("storage/vector-mismatch", vectors.put("s", [{ id: "c", vector: axis(0, 4) }]));
      await refusal("storage/vector-mismatch", vectors.put("fresh", mixed));
      await refusal("storage/vector-mismatch", vectors.nearest("s", axis(0, 2)));
      assert.equal(await vectors.count("s"), 1);
      assert.equal(await vectors.count("fresh"), 0);
      assert.equal(await vectors.drop("s"), true);
      assert.equal(await vectors.drop("s"), false);
      await vectors.put("s", [{ id: "c", vector: axis(0, 4) }]);
      assert.deepEqual(idsOf(await vectors.nearest("s", axis(0, 4))), ["c"]);
    }),
  },
  {
    id: "storage.vectors.refused",
    title: "ids, vectors, limits and names that can't be are refused, and nothing is put",
    run: withVectors(async (vectors) => {
      const good = { id: "good", vector: axis(0) };
      for (const id of ["", "x".repeat(513), "é".repeat(257), "\ud800", 5 as never, undefined as never]) {
        await refusal("usage/invalid-argument", vectors.put("s", [good, { id, vector: axis(0) }]));
        await refusal("usage/invalid-argument", vectors.get("s", [id]));
        await refusal("usage/invalid-argument", vectors.missing("s", [id]));
        await refusal("usage/invalid-argument", vectors.delete("s", [id]));
      }
      const bad = [new Float32Array(), new Float32Array(3), axis(0).fill(2), axis(0).fill(Number.NaN)];
      for (const vector of [...bad, unitVector([1, 2]).fill(Infinity), [1, 0, 0] as never]) {
        await refusal("usage/invalid-argument", vectors.put("s", [good, { id: "bad", vector }]));
        await refusal("usage/invalid-argument", vectors.nearest("s", vector));
      }
      for (const limit of [0, -1, 1.5, Number.NaN, 10_001, "5" as never])
        await refusal("usage/invalid-argument", vectors.nearest("s", axis(0), { limit }));
      for (const name of ["", "../s", ".s", "a//b"]) {
        await refusal("storage/invalid-key", vectors.put(name, [good]));
        await refusal("storage/invalid-key", vectors.nearest(name, axis(0)));
        await refusal("storage/invalid-key", vectors.count(name));
      }
      assert.equal(await vectors.count("s"), 0);
    }),
  },
  {
    id: "storage.vectors.hostile-ids",
    title: "any text is an id, and comes back as it was",
    run: withVectors(async (vectors) => {
      const all = unitVectors(hostileIds.length, 24, 3);
      const entries = hostileIds.map((id, at) => ({ id, vector: all[at] as Float32Array }));
      await vectors.put("s", entries);
      assert.equal(await vectors.count("s"), hostileIds.length);
      assert.deepEqual(await vectors.missing("s", ["other", ...hostileIds]), ["other"]);
      assert.deepEqual([...(await vectors.get("s", hostileIds)).keys()].sort(), [...hostileIds].sort());
      const hits = await vectors.nearest("s", all[0] as Float32Array, { limit: 100 });
      assert.deepEqual(idsOf(hits).sort(), [...hostileIds].sort());
      for (const { id, vector } of entries) assert.equal((await vectors.nearest("s", vector))[0]?.id, id);
      assert.equal(await vectors.delete("s", hostileIds), hostileIds.length);
    }),
  },
];

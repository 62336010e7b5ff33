import assert from "node:assert/strict";
import { blobBytes, blobText, utf8 } from "./blob-bytes.js";
import { refusal } from "./refusal.js";
import type { StorageCase } from "./storage-harness.js";

export const blobCases: readonly StorageCase[] = [
  {
    id: "storage.blobs.every-byte",
    title: "every byte value comes back as it was",
    async run({ storage: { blobs } }) {
      const bytes = Uint8Array.from({ length: 1024 }, (_, index) => (index * 7 + (index >> 8)) & 0xff);
      assert.equal(new Set(bytes).size, 256);
      await blobs.write("bytes", bytes);
      assert.deepEqual(Buffer.from(await blobBytes(blobs, "bytes")), Buffer.from(bytes));
    },
  },
  {
    id: "storage.blobs.absent",
    title: "an absent blob is undefined, which an empty one is not",
    async run({ storage: { blobs } }) {
      assert.equal(await blobs.stat("nothing"), undefined);
      assert.equal(await blobs.read("nothing"), undefined);
      await blobs.write("empty", new Uint8Array());
      assert.equal((await blobs.stat("empty"))?.size, 0);
      assert.equal((await blobBytes(blobs, "empty")).byteLength, 0);
    },
  },
  {
    id: "storage.blobs.info",
    title: "write, stat, read and list agree on key, size, revision, metadata and time",
    async run({ storage: { blobs } }) {
      const before = Date.now() - 2000;
      const written = await blobs.write("a/b", utf8("héllo"), { metadata: { kind: "text", tags: ["x"] } });
      assert.deepEqual(
        { key: written.key, size: written.size, metadata: written.metadata },
        { key: "a/b", size: 6, metadata: { kind: "text", tags: ["x"] } },
      );
      assert.ok(written.updatedAt.getTime() >= before && written.updatedAt.getTime() <= Date.now() + 2000);
      assert.deepEqual(await blobs.stat("a/b"), written);
      assert.deepEqual((await blobs.read("a/b"))?.info, written);
      assert.deepEqual((await blobs.list("")).items, [written]);
    },
  },
  {
    id: "storage.blobs.metadata",
    title: "metadata is that of the last write, and none when that gave none",
    async run({ storage: { blobs } }) {
      const metadata = { note: "one", nested: { list: [1] } };
      await blobs.write("k", utf8("1"), { metadata });
      metadata.nested.list.push(2);
      assert.deepEqual((await blobs.stat("k"))?.metadata, { note: "one", nested: { list: [1] } });
      await blobs.write("k", utf8("1"), { metadata: { other: true } });
      assert.deepEqual((await blobs.stat("k"))?.metadata, { other: true });
      await blobs.write("k", utf8("1"));
      assert.deepEqual((await blobs.stat("k"))?.metadata, {});
    },
  },
  {
    id: "storage.blobs.revision-changes",
    title: "every write gives another revision, also of equal bytes and after a delete",
    async run({ storage: { blobs } }) {
      const seen = new Set<string>();
      for (let round = 0; round < 3; round++) {
        seen.add((await blobs.write("k", utf8("same"))).revision);
        seen.add((await blobs.write("k", utf8("same"))).revision);
        await blobs.delete("k");
      }
      assert.equal(seen.size, 6);
    },
  },
  {
    id: "storage.blobs.copies",
    title: "changing the bytes after a write, or those that were read, changes nothing that is stored",
    async run({ storage: { blobs } }) {
      const bytes = Buffer.from("abc");
      await blobs.write("k", bytes);
      bytes.fill(0);
      const read = await blobs.read("k");
      for await (const chunk of read?.bytes ?? []) chunk.fill(1);
      assert.equal(await blobText(blobs, "k"), "abc");
    },
  },
  {
    id: "storage.blobs.stale-revision",
    title: "write and delete with a stale revision are refused and change neither bytes nor metadata",
    async run({ storage: { blobs } }) {
      const stale = await blobs.write("k", utf8("one"), { metadata: { n: 1 } });
      const current = await blobs.write("k", utf8("two"), { metadata: { n: 2 } });
      const options = { ifRevision: stale.revision };
      await refusal("storage/conflict", blobs.write("k", utf8("three"), { ...options, metadata: { n: 3 } }));
      await refusal("storage/conflict", blobs.delete("k", options));
      assert.deepEqual(await blobs.stat("k"), current);
      assert.equal(await blobText(blobs, "k"), "two");
    },
  },
  {
    id: "storage.blobs.right-revision",
    title: "write and delete with the stored revision go through",
    async run({ storage: { blobs } }) {
      const first = await blobs.write("k", utf8("one"));
      const second = await blobs.write("k", utf8("two"), { ifRevision: first.revision });
      assert.equal(await blobText(blobs, "k"), "two");
      assert.equal(await blobs.delete("k", { ifRevision: second.revision }), true);
      await refusal("storage/conflict", blobs.write("k", utf8("three"), { ifRevision: second.revision }));
      await refusal("storage/conflict", blobs.delete("k", { ifRevision: second.revision }));
      assert.equal(await blobs.stat("k"), undefined);
    },
  },
  {
    id: "storage.blobs.if-absent",
    title: "ifRevision null writes only where nothing is stored",
    async run({ storage: { blobs } }) {
      await blobs.write("k", utf8("one"), { ifRevision: null });
      await refusal("storage/conflict", blobs.write("k", utf8("two"), { ifRevision: null }));
      await refusal("storage/conflict", blobs.delete("k", { ifRevision: null }));
      assert.equal(await blobText(blobs, "k"), "one");
      await blobs.delete("k");
      await blobs.write("k", utf8("three"), { ifRevision: null });
      assert.equal(await blobText(blobs, "k"), "three");
    },
  },
  {
    id: "storage.blobs.delete",
    title: "delete tells whether there was one, takes only that one, and its metadata with it",
    async run({ storage: { blobs } }) {
      for (const key of ["a", "ab", "a/b"]) await blobs.write(key, utf8(key), { metadata: { key } });
      assert.equal(await blobs.delete("a"), true);
      assert.equal(await blobs.delete("a"), false);
      assert.equal(await blobs.read("a"), undefined);
      assert.deepEqual(
        (await blobs.list("")).items.map(({ key }) => key),
        ["a/b", "ab"],
      );
      assert.deepEqual((await blobs.write("a", utf8("again"))).metadata, {});
    },
  },
  {
    id: "storage.blobs.apart-from-records",
    title: "a blob and a record of one key don't touch each other",
    async run({ storage: { blobs, records } }) {
      await blobs.write("k", utf8("blob"));
      assert.equal(await records.get("k"), undefined);
      await records.put("k", { record: true });
      assert.equal(await blobs.delete("k"), true);
      assert.deepEqual((await records.get("k"))?.value, { record: true });
      assert.deepEqual((await blobs.list("")).items, []);
    },
  },
  {
    id: "storage.blobs.one-winner",
    title: "of many writers with one revision exactly one wins, each round, with bytes and metadata of its own",
    timeoutMs: 120_000,
    async run({ storage: { blobs } }) {
      let revision: string | null = null;
      for (let round = 0; round < 4; round++) {
        const attempts = await Promise.allSettled(
          Array.from({ length: 8 }, (_, writer) =>
            blobs.write("k", utf8(`${round}/${writer}`), { ifRevision: revision, metadata: { round, writer } }),
          ),
        );
        const winners = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
        assert.equal(winners.length, 1, `round ${round} had ${winners.length} winners`);
        const info = await blobs.stat("k");
        assert.deepEqual(info, winners[0]);
        assert.equal(await blobText(blobs, "k"), `${round}/${info?.metadata.writer}`);
        revision = info?.revision ?? null;
      }
    },
  },
];

import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { thoroughness } from "../shared/thoroughness.js";
import { blobBytes, blobText, drain, utf8 } from "./blob-bytes.js";
import { refusal } from "./refusal.js";
import type { StorageCase } from "./storage-harness.js";

const megabyte = 1024 * 1024;

async function* stream(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** What buffers hold once the garbage is gone. The second round waits for what the first lets go beside us. */
function heldMegabytes(): number {
  setFlagsFromString("--expose-gc");
  for (let round = 0; round < 2; round++) runInNewContext("gc")();
  return process.memoryUsage().arrayBuffers / megabyte;
}

/** What is held once the leavings of earlier work are gone: promises under way can hold them for a moment. */
async function settledMegabytes(): Promise<number> {
  let lowest = heldMegabytes();
  for (let steady = 0; steady < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const held = heldMegabytes();
    steady = held < lowest - 0.5 ? 0 : steady + 1;
    lowest = Math.min(lowest, held);
  }
  return lowest;
}

/** Chunks that all differ, made one at a time. */
function* numberedChunks(count: number, size: number): Generator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    const chunk = Buffer.alloc(size, index & 0xff);
    chunk.writeUInt32LE(index);
    yield chunk;
  }
}

export const blobStreamCases: readonly StorageCase[] = [
  {
    id: "storage.blobs.streamed",
    title: "chunks of all sizes, empty ones too, come back joined in order",
    async run({ storage: { blobs } }) {
      const chunks = ["", "a", "bc", "", "d".repeat(200_000), "e"].map(utf8);
      const info = await blobs.write("k", stream(chunks));
      assert.equal(info.size, 200_004);
      assert.deepEqual(Buffer.from(await blobBytes(blobs, "k")), Buffer.concat(chunks));
    },
  },
  {
    id: "storage.blobs.large",
    title: `${thoroughness.blobMegabytes} MB stream in and out, equal, without being held in memory by a storage that is durable; 16 MB of others`,
    timeoutMs: 120_000 + thoroughness.blobMegabytes * 500,
    async run({ storage }) {
      // How much is held is asked of durable storages alone; of others, that what comes out is what went in.
      const size = megabyte * (storage.capabilities.durable ? thoroughness.blobMegabytes : 16);
      const before = await settledMegabytes();
      let highest = before;
      let chunks = 0;
      const watch = () => {
        if (++chunks % 32 === 0) highest = Math.max(highest, heldMegabytes());
      };
      async function* source() {
        for (const chunk of numberedChunks(size / (megabyte / 4), megabyte / 4)) {
          yield chunk;
          watch();
        }
      }
      const info = await storage.blobs.write("large", source());
      assert.equal(info.size, size);
      const blob = await storage.blobs.read("large");
      assert.ok(blob);
      let position = 0;
      const first = Buffer.alloc(4);
      for await (const chunk of blob.bytes) {
        watch();
        for (let offset = 0; offset < chunk.byteLength; ) {
          const inside = (position + offset) % (megabyte / 4);
          const length = Math.min(megabyte / 4 - inside, chunk.byteLength - offset);
          const index = Math.floor((position + offset) / (megabyte / 4));
          first.writeUInt32LE(index);
          const at = inside < 4 ? first[inside] : index & 0xff;
          assert.equal(chunk[offset], at, `byte ${position + offset} is another`);
          assert.equal(chunk[offset + length - 1], inside + length - 1 < 4 ? first[inside + length - 1] : index & 0xff);
          offset += length;
        }
        position += chunk.byteLength;
      }
      assert.equal(position, size);
      if (storage.capabilities.durable) {
        const growth = Math.round(highest - before);
        assert.ok(growth < 16, `${growth} MB of ${size / megabyte} were held in memory`);
      }
    },
  },
  {
    id: "storage.blobs.whole-reads",
    title: "a reader sees one version whole, with its own metadata, while writers write",
    timeoutMs: 120_000,
    async run({ storage: { blobs } }) {
      const write = (n: number) => blobs.write("k", stream(numberedWords(n)), { metadata: { n } });
      await write(0);
      let writing = true;
      const writer = (async () => {
        for (let n = 1; n <= 9; n++) await write(n);
      })().finally(() => {
        writing = false;
      });
      do {
        const blob = await blobs.read("k");
        assert.ok(blob, "the blob is gone");
        const text = Buffer.from(await drain(blob)).toString();
        const n = Number(blob.info.metadata.n);
        assert.ok(text === String(n).repeat(300_000), `version ${n} was read as ${text.length} bytes, mixed or cut`);
        assert.equal(blob.info.size, text.length);
      } while (writing);
      await writer;
    },
  },
  {
    id: "storage.blobs.version-kept",
    title: "a blob that was opened is read to its end, though it is replaced and deleted meanwhile",
    async run({ storage: { blobs } }) {
      await blobs.write("k", stream(numberedWords(1)));
      const blob = await blobs.read("k");
      await blobs.write("k", utf8("other"));
      await blobs.delete("k");
      assert.ok(blob);
      assert.ok(Buffer.from(await drain(blob)).toString() === "1".repeat(300_000));
    },
  },
  {
    id: "storage.blobs.source-fails",
    title: "a source that fails half-way changes nothing, and its own error comes through",
    async run({ storage: { blobs } }) {
      const failure = new Error("the source broke");
      async function* broken() {
        yield utf8("half");
        throw failure;
      }
      const kept = await blobs.write("k", utf8("whole"), { metadata: { n: 1 } });
      await assert.rejects(blobs.write("k", broken()), (error) => error === failure);
      await assert.rejects(blobs.write("new", broken()), (error) => error === failure);
      assert.equal(await blobText(blobs, "k"), "whole");
      assert.deepEqual((await blobs.list("")).items, [kept]);
    },
  },
  {
    id: "storage.blobs.not-bytes",
    title: "a source of something else than bytes is refused and changes nothing",
    async run({ storage: { blobs } }) {
      async function* texts() {
        yield utf8("bytes");
        yield "text" as never;
      }
      await refusal("usage/invalid-argument", blobs.write("k", texts()));
      await refusal("usage/invalid-argument", blobs.write("k", "text" as never));
      assert.equal(await blobs.stat("k"), undefined);
    },
  },
  {
    id: "storage.blobs.write-aborted",
    title: "an abort in mid-write throws the signal's own reason, ends the source and changes nothing",
    async run({ storage: { blobs } }) {
      const kept = await blobs.write("k", utf8("whole"));
      const reason = { why: "the caller's own" };
      const controller = new AbortController();
      let ended = false;
      async function* endless() {
        try {
          for (;;) {
            yield utf8("more");
            setImmediate(() => controller.abort(reason));
            await new Promise((resolve) => setImmediate(resolve));
          }
        } finally {
          ended = true;
        }
      }
      const write = blobs.write("k", endless(), { signal: controller.signal });
      await assert.rejects(write, (error) => error === reason);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      assert.equal(ended, true, "the source was left open");
      assert.deepEqual(await blobs.stat("k"), kept);
    },
  },
  {
    id: "storage.blobs.hanging-source-aborted",
    title: "an abort ends a write whose source never gives anything",
    async run({ storage: { blobs } }) {
      const controller = new AbortController();
      const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
      const write = blobs.write("k", silent, { signal: controller.signal });
      setImmediate(() => controller.abort("enough"));
      await assert.rejects(write, (error) => error === "enough");
      assert.equal(await blobs.stat("k"), undefined);
    },
  },
  {
    id: "storage.blobs.read-aborted",
    title: "an abort in mid-read throws the signal's own reason",
    async run({ storage: { blobs } }) {
      await blobs.write("k", stream(numberedChunks(32, megabyte / 4)));
      const reason = new Error("enough");
      const controller = new AbortController();
      const blob = await blobs.read("k", { signal: controller.signal });
      assert.ok(blob);
      const reading = async () => {
        for await (const _ of blob.bytes) controller.abort(reason);
      };
      await assert.rejects(reading(), (error) => error === reason);
    },
  },
];

/** 300,000 times one digit, in uneven chunks. */
function* numberedWords(n: number): Generator<Uint8Array> {
  for (let left = 300_000, size = 1; left > 0; left -= size, size = Math.min(size * 3, left)) {
    yield utf8(String(n).repeat(size));
  }
}

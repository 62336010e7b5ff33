import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { ChangeFeed, Storage } from "@artificer/protocol";
import { utf8 } from "./blob-bytes.js";
import { refusal } from "./refusal.js";
import type { StorageCase, StorageHarness } from "./storage-harness.js";

function withWatch(run: (watch: ChangeFeed, harness: StorageHarness) => Promise<void>): StorageCase["run"] {
  return async (harness) => {
    const { watch, capabilities } = harness.storage;
    assert.equal(watch !== undefined, capabilities.watch);
    if (watch !== undefined) await run(watch, harness);
  };
}

/** Every kind of change under `a/`, one after another, and what it is. */
function* changes({ records, blobs }: Storage): Generator<[string, () => Promise<unknown>]> {
  yield ["a new record", () => records.put("a/r", { n: 1 })];
  yield ["a record written again with the same value", () => records.put("a/r", { n: 1 })];
  yield ["a new blob", () => blobs.write("a/b/c", utf8("one"))];
  yield ["a blob replaced by as many bytes", () => blobs.write("a/b/c", utf8("two"))];
  yield ["metadata alone", () => blobs.write("a/b/c", utf8("two"), { metadata: { n: 1 } })];
  yield ["a large blob", () => blobs.write("a/large", Buffer.alloc(600_000))];
  yield ["a record deleted", () => records.delete("a/r")];
  yield ["a blob deleted", () => blobs.delete("a/b/c")];
  yield ["the record again, as it was", () => records.put("a/r", { n: 1 })];
}

/** The version once two looks agree: right after a change a backend may not be sure yet. */
async function settled(watch: ChangeFeed, prefix: string): Promise<string> {
  for (let last = await watch.version(prefix); ; ) {
    await delay(20);
    const now = await watch.version(prefix);
    if (now === last) return now;
    last = now;
  }
}

export const watchCases: readonly StorageCase[] = [
  {
    id: "storage.watch.every-change",
    title: "every change under a prefix gives it a version it never had, whoever makes it, and without one it stays",
    timeoutMs: 120_000,
    run: withWatch(async (watch, { storage, reopen }) => {
      const other = await reopen?.();
      try {
        for (const prefix of ["a/", "", "a"]) {
          const had = new Set([await settled(watch, prefix)]);
          for (const by of other === undefined ? [storage] : [storage, other]) {
            for (const [what, change] of changes(by)) {
              await change();
              const version = await watch.version(prefix);
              assert.ok(!had.has(version), `${what} was not seen under ${JSON.stringify(prefix)}`);
              had.add(version);
              had.add(await settled(watch, prefix));
            }
            await by.records.delete("a/r");
            await by.blobs.delete("a/large");
          }
        }
      } finally {
        await other?.close();
      }
    }),
  },
  {
    id: "storage.watch.nothing-missed",
    title: "while others write, what was listed between two looks at an equal version is what is there",
    timeoutMs: 120_000,
    run: withWatch(async (watch, { storage, reopen }) => {
      const other = (await reopen?.()) ?? storage;
      const writers = Promise.all(
        Array.from({ length: 4 }, async (_, writer) => {
          for (let n = 0; n < 15; n++) {
            await other.records.put(`busy/${writer}-${n % 3}`, { n });
            await delay(Math.random() * 15);
          }
        }),
      );
      let writing = true;
      void writers.finally(() => {
        writing = false;
      });
      try {
        let known: { version: string; listed: unknown } | undefined;
        for (let last = false; !last; ) {
          last = !writing;
          // As an index does: the version first, then the look.
          const version = await watch.version("busy/");
          const { items } = await storage.records.list("busy/");
          if (known?.version === version && (await watch.version("busy/")) === version)
            assert.deepEqual(items, known.listed);
          known = { version, listed: items };
          await delay(1);
        }
        await writers;
      } finally {
        await writers.catch(() => {});
        if (other !== storage) await other.close();
      }
    }),
  },
  {
    id: "storage.watch.subscribed",
    title: "a subscription hears of changes that another opening makes, sooner or later, until it is stopped",
    timeoutMs: 120_000,
    run: withWatch(async (watch, { storage, reopen }) => {
      const other = (await reopen?.()) ?? storage;
      let heard = 0;
      const subscription = await watch.subscribe("news/", () => heard++);
      try {
        for (let round = 1; round <= 2; round++) {
          const before = heard;
          for (let n = 0; heard === before; n++) {
            await other.blobs.write(`news/${round}`, utf8(String(n)));
            await delay(50);
          }
        }
        await subscription.stop();
        await subscription.stop();
        const stopped = heard;
        await other.blobs.write("news/late", utf8("late"));
        await delay(100);
        assert.equal(heard, stopped);
      } finally {
        if (other !== storage) await other.close();
      }
    }),
  },
  {
    id: "storage.watch.prefixes",
    title: "a prefix that no key can have is refused",
    run: withWatch(async (watch) => {
      await refusal("storage/invalid-key", watch.version("../"));
      await refusal(
        "storage/invalid-key",
        watch.subscribe("a//", () => {}),
      );
    }),
  },
];

import assert from "node:assert/strict";
import type { Storage } from "@artificer/protocol";
import { blobText, utf8 } from "./blob-bytes.js";
import { refusal } from "./refusal.js";
import type { StorageCase } from "./storage-harness.js";

/** Every call of the contract, once. */
function everyCall(storage: Storage, options: { signal?: AbortSignal } = {}): Array<() => Promise<unknown>> {
  const { records, blobs, leases, watch, vectors } = storage;
  const lease = { key: "k", token: 1 };
  const held = { ...options, ttlMs: 60_000 };
  const forLeases = leases && [
    () => leases.acquire("k", held),
    () => leases.renew(lease, held),
    () => leases.release(lease, options),
  ];
  const vector = Float32Array.of(0, 1);
  const forVectors = vectors && [
    () => vectors.put("k", [{ id: "v", vector }], options),
    () => vectors.get("k", ["v"], options),
    () => vectors.missing("k", ["v"], options),
    () => vectors.delete("k", ["v"], options),
    () => vectors.nearest("k", vector, options),
    () => vectors.count("k", options),
    () => vectors.drop("k", options),
  ];
  return [
    ...(forLeases ?? []),
    ...(forVectors ?? []),
    ...(watch === undefined ? [] : [() => watch.version("", options)]),
    () => records.get("k", options),
    () => records.put("k", { n: 2 }, options),
    () => records.delete("k", options),
    () => records.list("", options),
    () => blobs.stat("k", options),
    () => blobs.read("k", options),
    () => blobs.write("k", utf8("two"), options),
    () => blobs.delete("k", options),
    () => blobs.list("", options),
  ];
}

export const lifeCycleCases: readonly StorageCase[] = [
  {
    id: "storage.abort.reason",
    title: "a signal that has fired ends every call with its own reason, untouched, and nothing is done",
    async run({ storage }) {
      await storage.records.put("k", { n: 1 });
      await storage.blobs.write("k", utf8("one"));
      const kept = Float32Array.of(1, 0);
      await storage.vectors?.put("k", [{ id: "v", vector: kept }]);
      const reason = { why: "the caller's own" };
      for (const call of everyCall(storage, { signal: AbortSignal.abort(reason) })) {
        await assert.rejects(call(), (error) => error === reason, String(call));
      }
      assert.deepEqual((await storage.records.get("k"))?.value, { n: 1 });
      assert.equal(await blobText(storage.blobs, "k"), "one");
      if (storage.leases !== undefined) assert.ok(await storage.leases.acquire("k", { ttlMs: 60_000 }));
      if (storage.vectors !== undefined) assert.deepEqual((await storage.vectors.get("k", ["v"])).get("v"), kept);
    },
  },
  {
    id: "storage.close.refuses",
    title: "close is idempotent, and every later call is refused as closed",
    async run({ storage }) {
      await storage.records.put("k", { n: 1 });
      await Promise.all([storage.close(), storage.close()]);
      await storage.close();
      for (const call of everyCall(storage)) await refusal("storage/closed", call());
      if (storage.watch !== undefined)
        await refusal(
          "storage/closed",
          storage.watch.subscribe("k", () => {}),
        );
    },
  },
  {
    id: "storage.capabilities.declared",
    title: "what a storage declares it has, and what it does not declare it has not",
    async run({ storage }) {
      const { capabilities } = storage;
      assert.deepEqual(Object.keys(capabilities).sort(), ["durable", "leases", "vectors", "watch"]);
      assert.match(storage.kind, /^[a-z][a-z0-9-]*$/);
      for (const name of ["vectors", "leases", "watch"] as const) {
        assert.equal(capabilities[name], Reflect.get(storage, name) !== undefined, name);
      }
    },
  },
  {
    id: "storage.durable.declared",
    title: "a durable storage opened again has what was acknowledged; one that is not offers no opening again",
    async run({ storage, reopen }) {
      const revision = await storage.records.put("a/b", { n: 1 });
      const info = await storage.blobs.write("a/b", utf8("one"), { metadata: { n: 1 } });
      assert.equal(reopen !== undefined, storage.capabilities.durable, "durable storages, and they alone, give reopen");
      if (reopen === undefined) return;
      await storage.close();
      const again = await reopen();
      try {
        assert.deepEqual(await again.records.get("a/b"), { key: "a/b", value: { n: 1 }, revision });
        assert.deepEqual(await again.blobs.stat("a/b"), info);
        assert.equal(await blobText(again.blobs, "a/b"), "one");
      } finally {
        await again.close();
      }
    },
  },
  {
    id: "storage.durable.shared",
    title: "two openings of a durable storage see each other's writes at once and can't overwrite them unseen",
    async run({ storage, reopen }) {
      assert.equal(reopen !== undefined, storage.capabilities.durable);
      if (reopen === undefined) return;
      const other = await reopen();
      try {
        const revision = await storage.records.put("k", { n: 1 });
        const info = await storage.blobs.write("k", utf8("one"), { metadata: { n: 1 } });
        assert.equal((await other.records.get("k"))?.revision, revision);
        assert.deepEqual(await other.blobs.stat("k"), info);
        await other.records.put("k", { n: 2 }, { ifRevision: revision });
        await other.blobs.write("k", utf8("two"), { ifRevision: info.revision, metadata: { n: 2 } });
        await refusal("storage/conflict", storage.records.put("k", { n: 3 }, { ifRevision: revision }));
        await refusal("storage/conflict", storage.blobs.write("k", utf8("3"), { ifRevision: info.revision }));
        assert.deepEqual((await storage.records.get("k"))?.value, { n: 2 });
        assert.deepEqual((await storage.blobs.stat("k"))?.metadata, { n: 2 });
        assert.equal(await blobText(storage.blobs, "k"), "two");
      } finally {
        await other.close();
      }
    },
  },
];

import {
  type BlobInfo,
  type BlobStore,
  byteChunks,
  checkRevision,
  type JsonObject,
  storageKey,
  storedJson,
  untilAborted,
} from "@artificer/protocol";
import type { MemoryBase } from "./memory-base.js";
import { memoryPage } from "./memory-page.js";
import { createSortedMap } from "./sorted-map.js";

interface Entry {
  /** Never changed once stored: a reader keeps its version by keeping the list. */
  chunks: readonly Uint8Array[];
  size: number;
  metadata: string;
  revision: string;
  updatedAt: number;
}

/** Blobs as the chunks they came in, copied on the way in and out. */
export function createMemoryBlobs({ ready, nextRevision, changed }: MemoryBase): BlobStore {
  const entries = createSortedMap<Entry>();
  return {
    async stat(rawKey, options = {}) {
      ready(options.signal);
      const key = storageKey(rawKey);
      const entry = entries.get(key);
      return entry && show(key, entry);
    },
    async read(rawKey, options = {}) {
      ready(options.signal);
      const key = storageKey(rawKey);
      const entry = entries.get(key);
      return entry && { info: show(key, entry), bytes: untilAborted(copies(entry.chunks), options.signal) };
    },
    async write(rawKey, bytes, options = {}) {
      ready(options.signal);
      const key = storageKey(rawKey);
      const metadata = storedJson(key, options.metadata ?? {});
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of byteChunks(key, bytes, options.signal)) {
        // Not slice(): that of a Buffer shares its memory.
        chunks.push(new Uint8Array(chunk));
        size += chunk.byteLength;
      }
      options.signal?.throwIfAborted();
      checkRevision(key, options.ifRevision, entries.get(key)?.revision);
      const entry = { chunks, size, metadata, revision: nextRevision(), updatedAt: Date.now() };
      entries.set(key, entry);
      changed(key);
      return show(key, entry);
    },
    async delete(rawKey, options = {}) {
      ready(options.signal);
      const key = storageKey(rawKey);
      checkRevision(key, options.ifRevision, entries.get(key)?.revision);
      const deleted = entries.delete(key);
      if (deleted) changed(key);
      return deleted;
    },
    async list(prefix, options = {}) {
      ready(options.signal);
      return memoryPage(entries, { ...options, prefix }, show);
    },
  };
}

function show(key: string, entry: Entry): BlobInfo {
  const { size, revision, metadata, updatedAt } = entry;
  return { key, size, revision, metadata: JSON.parse(metadata) as JsonObject, updatedAt: new Date(updatedAt) };
}

async function* copies(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield new Uint8Array(chunk);
}

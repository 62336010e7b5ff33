import {
  checkedFence,
  checkFence,
  checkRevision,
  type JsonObject,
  type RecordStore,
  type RecordWriteOptions,
  type StoredRecord,
  storageKey,
  storedJson,
} from "@artificer/protocol";
import type { MemoryBase } from "./memory-base.js";
import { memoryPage } from "./memory-page.js";
import { createSortedMap } from "./sorted-map.js";

interface Entry {
  json: string;
  revision: string;
}

/** Records as JSON text, so that neither writer nor reader holds the stored object itself. */
export function createMemoryRecords(
  { ready, nextRevision, changed }: MemoryBase,
  newestToken: (leaseKey: string) => number | undefined,
): RecordStore {
  const entries = createSortedMap<Entry>();
  const show = (key: string, { json, revision }: Entry): StoredRecord => ({
    key,
    value: JSON.parse(json) as JsonObject,
    revision,
  });
  const check = (key: string, { ifRevision, fence: rawFence }: RecordWriteOptions) => {
    const fence = rawFence && checkedFence(rawFence);
    if (fence !== undefined) checkFence(key, fence, newestToken(fence.key));
    checkRevision(key, ifRevision, entries.get(key)?.revision);
  };
  return {
    async get(rawKey, options = {}) {
      ready(options.signal);
      const key = storageKey(rawKey);
      const entry = entries.get(key);
      return entry && show(key, entry);
    },
    async put(rawKey, value, options = {}) {
      ready(options.signal);
      const key = storageKey(rawKey);
      const json = storedJson(key, value);
      check(key, options);
      const revision = nextRevision();
      entries.set(key, { json, revision });
      changed(key);
      return revision;
    },
    async delete(rawKey, options = {}) {
      ready(options.signal);
      const key = storageKey(rawKey);
      check(key, options);
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

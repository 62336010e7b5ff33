import {
  checkRevision,
  type JsonObject,
  type RecordStore,
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
export function createMemoryRecords({ ready, nextRevision, changed }: MemoryBase): RecordStore {
  const entries = createSortedMap<Entry>();
  const show = (key: string, { json, revision }: Entry): StoredRecord => ({
    key,
    value: JSON.parse(json) as JsonObject,
    revision,
  });
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
      checkRevision(key, options.ifRevision, entries.get(key)?.revision);
      const revision = nextRevision();
      entries.set(key, { json, revision });
      changed(key);
      return revision;
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

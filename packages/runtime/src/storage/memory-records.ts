import {
  checkRevision,
  type JsonObject,
  type RecordStore,
  type StoredRecord,
  storageKey,
  storedJson,
} from "@artificer/protocol";
import { memoryPage } from "./memory-page.js";

interface Entry {
  json: string;
  revision: string;
}

/** Records as JSON text, so that neither writer nor reader holds the stored object itself. */
export function createMemoryRecords(
  ready: (signal: AbortSignal | undefined) => void,
  nextRevision: () => string,
): RecordStore {
  const entries = new Map<string, Entry>();
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
      return revision;
    },
    async delete(rawKey, options = {}) {
      ready(options.signal);
      const key = storageKey(rawKey);
      checkRevision(key, options.ifRevision, entries.get(key)?.revision);
      return entries.delete(key);
    },
    async list(prefix, options = {}) {
      ready(options.signal);
      return memoryPage(entries, { ...options, prefix }, show);
    },
  };
}

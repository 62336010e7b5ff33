import { randomBytes } from "node:crypto";
import { checkRevision, type JsonObject, type RecordStore, storageKey, storedJson } from "@artificer/protocol";
import { outcomeOf, type RedisBase } from "../connection.js";
import { listPage } from "../list-page.js";
import { deleteRecord, expectation, putRecord } from "../scripts/record-scripts.js";

/** Records as fields of one hash, beside a sorted set of their keys for listings. Each call is one step of the server. */
export function createRedisRecords(base: RedisBase): RecordStore {
  const { connection, keys, gate } = base;
  const own = [keys.records, keys.recordKeys, keys.versions];
  const show = (key: string, stored: Buffer) => {
    const bar = stored.indexOf("|");
    return {
      key,
      value: JSON.parse(stored.toString("utf8", bar + 1)) as JsonObject,
      revision: stored.toString("utf8", 0, bar),
    };
  };

  return {
    get: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const stored = (await connection.run("read", ["HGET", keys.records, key])) as Buffer | null;
        return stored === null ? undefined : show(key, stored);
      }),

    put: (rawKey, value, { ifRevision, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const revision = randomBytes(9).toString("base64url");
        const stored = `${revision}|${storedJson(key, value)}`;
        const reply = await connection.script("write", putRecord, own, [key, expectation(ifRevision), stored]);
        const { outcome, detail } = outcomeOf(reply);
        if (outcome === "conflict") checkRevision(key, ifRevision, detail);
        return revision;
      }),

    delete: (rawKey, { ifRevision, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const reply = await connection.script("write", deleteRecord, own, [key, expectation(ifRevision)]);
        const { outcome, detail } = outcomeOf(reply);
        if (outcome === "conflict") checkRevision(key, ifRevision, detail);
        return outcome === "done";
      }),

    list: (prefix, options = {}) =>
      gate.pass(options.signal, () =>
        listPage(base, { values: keys.records, keys: keys.recordKeys, show }, { ...options, prefix }),
      ),
  };
}

import {
  checkedFence,
  checkFence,
  checkRevision,
  type JsonObject,
  type RecordStore,
  type RecordWriteOptions,
  storageKey,
  storedJson,
} from "@artificer/protocol";
import { outcomeOf, type RedisBase } from "../connection.js";
import { listPage } from "../list-page.js";
import { randomText } from "../random-text.js";
import {
  deleteFenced,
  deleteRecord,
  expectation,
  newVersion,
  putFenced,
  putRecords,
} from "../scripts/record-scripts.js";
import type { Script } from "../scripts/script.js";
import { createCallBatch } from "./call-batch.js";

/** A script stops the server while it runs, and a reply lies in memory whole. */
const limits = { maxCalls: 64, maxChars: 256 * 1024 };

interface Put {
  key: string;
  expected: string;
  stored: string;
}

/** What a put came to: 1 when it is stored, else the revision that was found, or null when nothing was. */
type PutReply = 1 | string | null;

/**
 * Records as fields of one hash, beside a sorted set of their keys for listings. Each call is one step of the server; gets and puts of the
 * same moment travel together.
 */
export function createRedisRecords(base: RedisBase): RecordStore {
  const { connection, keys, gate, maxWaiting, tooMany } = base;
  const own = [keys.records, keys.recordKeys, keys.versions];
  const getMany = createCallBatch(
    async (wanted: readonly string[]) =>
      (await connection.run("read", ["HMGET", keys.records, ...wanted], "text")) as (string | null)[],
    { ...limits, maxWaiting, tooMany: () => tooMany("read"), charsOf: (key) => key.length },
  );
  const putMany = createCallBatch(
    async (puts: readonly Put[]) => {
      const given = puts.flatMap(({ key, expected, stored }) => [key, expected, stored]);
      return (await connection.script("write", putRecords, own, [newVersion(), ...given])) as PutReply[];
    },
    {
      ...limits,
      maxWaiting,
      tooMany: () => tooMany("write"),
      charsOf: ({ key, stored }) => key.length + stored.length,
    },
  );
  const show = (key: string, stored: string) => {
    const bar = stored.indexOf("|");
    return { key, value: JSON.parse(stored.slice(bar + 1)) as JsonObject, revision: stored.slice(0, bar) };
  };

  /** One change by a script of its own. @returns whether something was changed. */
  const changeAlone = async (
    script: Script,
    key: string,
    { ifRevision, fence: rawFence }: RecordWriteOptions,
    more: string[] = [],
  ) => {
    const fence = rawFence && checkedFence(rawFence);
    const touched = fence === undefined ? own : [...own, keys.leases];
    const given = [key, expectation(ifRevision), newVersion(), ...more];
    if (fence !== undefined) given.push(fence.key, String(fence.token));
    const { outcome, detail } = outcomeOf(await connection.script("write", script, touched, given));
    if (outcome === "fenced" && fence !== undefined) checkFence(key, fence, Number(detail));
    if (outcome === "conflict") checkRevision(key, ifRevision, detail);
    return outcome === "done";
  };

  return {
    get: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const stored = await getMany(key);
        return stored === null ? undefined : show(key, stored);
      }),

    put: (rawKey, value, options = {}) =>
      gate.pass(options.signal, async () => {
        const { ifRevision, fence } = options;
        const key = storageKey(rawKey);
        const revision = randomText();
        const stored = `${revision}|${storedJson(key, value)}`;
        if (fence !== undefined) {
          await changeAlone(putFenced, key, options, [stored]);
          return revision;
        }
        const reply = await putMany({ key, expected: expectation(ifRevision), stored });
        if (reply !== 1) checkRevision(key, ifRevision, reply ?? undefined);
        return revision;
      }),

    delete: (rawKey, options = {}) =>
      gate.pass(options.signal, () =>
        changeAlone(options.fence === undefined ? deleteRecord : deleteFenced, storageKey(rawKey), options),
      ),

    list: (prefix, options = {}) =>
      gate.pass(options.signal, () =>
        listPage(base, { values: keys.records, keys: keys.recordKeys, show }, { ...options, prefix }),
      ),
  };
}

import {
  ArtificerError,
  checkDimensions,
  checkedVectors,
  checkVector,
  checkVectorId,
  nearestLimit,
  storageKey,
  type VectorHit,
  type VectorStore,
} from "@artificer/protocol";
import type { RedisBase } from "../connection.js";
import { deleteVectors, getVectors, knownVectors, putVectors } from "../scripts/vector-scripts.js";
import { bytesOfVector, vectorOfBytes } from "./vector-bytes.js";

/** Numbers that one script puts: to add one vector of 512 to ten thousand takes the server half a millisecond, in which it does nothing else. */
const maxNumbers = 8_192;
/** Scripts of one put that are on their way at once. */
const maxUnderWay = 4;
const maxIds = { read: 128, known: 1_000, deleted: 64 };

/** A larger set is searched by its graph, which may miss some; in one of this size a scan of all takes four milliseconds. */
const exactUpTo = 10_000;
/** How far the graph is searched, at least. */
const leastEffort = 400;

/**
 * Vectors in sets of the server, in full: it would search quantised ones twice as fast and keep them in half the room, but their cosines
 * are off in the third digit, and the numbers can't be had back.
 */
export function createRedisVectors({ connection, keys, gate }: RedisBase): VectorStore {
  /** How many each set had when it was last asked. */
  const sizes = new Map<string, number>();

  const cardinality = async (set: string) => Number(await connection.run("read", ["VCARD", keys.vectors(set)]));

  const search = async (set: string, vector: Float32Array, how: { limit: number; exact: boolean }) => {
    const effort = how.exact ? ["TRUTH"] : ["EF", String(Math.max(leastEffort, 2 * how.limit))];
    const given = ["VSIM", keys.vectors(set), "FP32", bytesOfVector(vector), "WITHSCORES", "COUNT", String(how.limit)];
    try {
      return hitsOf((await connection.run("read", [...given, ...effort], "text")) as (string | number)[]);
    } catch (error) {
      // Other dimensions are one reason to refuse it.
      if (ArtificerError.is(error) && error.details.reason === "ERR") await checkSet(set, vector);
      throw error;
    }
  };

  const checkSet = async (set: string, vector: Float32Array) => {
    const dimensions = await connection.run("read", ["VDIM", keys.vectors(set)]);
    checkDimensions(set, Number(dimensions), vector);
  };

  const inBatches = async <Reply>(ids: readonly string[], size: number, ask: (some: string[]) => Promise<Reply>) => {
    const replies: Reply[] = [];
    for (let from = 0; from < ids.length; from += size) replies.push(await ask(ids.slice(from, from + size)));
    return replies;
  };

  return {
    approximate: true,
    put: (rawSet, entries, { signal } = {}) =>
      gate.pass(signal, async () => {
        const set = storageKey(rawSet);
        const { byId, dimensions } = checkedVectors(set, entries);
        const all = [...byId];
        const size = Math.max(1, Math.floor(maxNumbers / dimensions));
        const send = async (some: typeof all) => {
          const given = some.flatMap(([id, vector]) => [id, bytesOfVector(vector)]);
          const other = await connection.script(
            "write",
            putVectors,
            [keys.vectors(set)],
            [String(dimensions), ...given],
          );
          if (other !== 0) checkDimensions(set, Number(other), some[0]![1]);
        };
        // The first alone: it may be refused for its dimensions.
        for (let from = 0, width = size; from < all.length; from += width, width = size * maxUnderWay) {
          signal?.throwIfAborted();
          const group = all.slice(from, from + width);
          const parts = Array.from({ length: Math.ceil(group.length / size) }, (_, at) =>
            send(group.slice(at * size, (at + 1) * size)),
          );
          for (const part of await Promise.allSettled(parts)) if (part.status === "rejected") throw part.reason;
        }
      }),

    get: (rawSet, ids, { signal } = {}) =>
      gate.pass(signal, async () => {
        const set = storageKey(rawSet);
        ids.forEach(checkVectorId);
        const found = new Map<string, Float32Array>();
        await inBatches(ids, maxIds.read, async (some) => {
          signal?.throwIfAborted();
          const reply = await connection.script("read", getVectors, [keys.vectors(set)], some);
          for (const [at, raw] of (reply as ([Buffer, Buffer] | null)[]).entries())
            if (raw !== null) found.set(some[at]!, vectorOfBytes(raw[0], Number(raw[1])));
        });
        return found;
      }),

    missing: (rawSet, ids, { signal } = {}) =>
      gate.pass(signal, async () => {
        const set = storageKey(rawSet);
        ids.forEach(checkVectorId);
        const replies = await inBatches(ids, maxIds.known, (some) =>
          connection.script("read", knownVectors, [keys.vectors(set)], some),
        );
        const known = replies.flat();
        return ids.filter((_, at) => known[at] === 0);
      }),

    delete: (rawSet, ids, { signal } = {}) =>
      gate.pass(signal, async () => {
        const set = storageKey(rawSet);
        ids.forEach(checkVectorId);
        const deleted = await inBatches(ids, maxIds.deleted, (some) =>
          connection.script("write", deleteVectors, [keys.vectors(set)], some),
        );
        return deleted.reduce<number>((sum, count) => sum + Number(count), 0);
      }),

    nearest: (rawSet, vector, options = {}) =>
      gate.pass(options.signal, async () => {
        const set = storageKey(rawSet);
        const limit = nearestLimit(options);
        checkVector(vector);
        const exact = (sizes.get(set) ?? 0) <= exactUpTo;
        const [size, hits] = await Promise.all([cardinality(set), search(set, vector, { limit, exact })]);
        if (size === 0) sizes.delete(set);
        else sizes.set(set, size);
        const isGood = exact || (size > exactUpTo && hits.length >= Math.min(limit, size));
        return isGood ? hits : search(set, vector, { limit, exact: true });
      }),

    count: (rawSet, { signal } = {}) => gate.pass(signal, async () => cardinality(storageKey(rawSet))),

    drop: (rawSet, { signal } = {}) =>
      gate.pass(signal, async () => {
        const set = storageKey(rawSet);
        sizes.delete(set);
        return (await connection.run("write", ["UNLINK", keys.vectors(set)])) === 1;
      }),
  };
}

/** By turns id and score, which is (1 + cosine) / 2. */
function hitsOf(reply: readonly (string | number)[]): VectorHit[] {
  const hits: VectorHit[] = [];
  for (let at = 0; at + 1 < reply.length; at += 2)
    hits.push({ id: String(reply[at]), score: Math.min(1, Math.max(-1, 2 * Number(reply[at + 1]) - 1)) });
  return hits;
}

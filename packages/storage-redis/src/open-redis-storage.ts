import { ArtificerError, createCallGate, type Storage } from "@artificer/protocol";
import { createRedisBlobs } from "./blobs/redis-blobs.js";
import { checkEviction } from "./check-eviction.js";
import { connectClient, defaultMaxQueue } from "./connect-client.js";
import { createConnection } from "./connection.js";
import { createKeyspace } from "./keyspace.js";
import { createRedisLeases } from "./leases/redis-leases.js";
import { createRedisRecords } from "./records/redis-records.js";
import type { RedisClient, RedisCluster } from "./redis-client.js";
import { queueIsFull, redisError } from "./redis-error.js";
import { createRedisVectors } from "./vectors/redis-vectors.js";
import { whyNoVectors } from "./vectors/vector-support.js";
import { createRedisChanges } from "./watch/redis-changes.js";

export interface RedisStorageOptions {
  /** `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `rediss:` for TLS. This or `client`. */
  url?: string;
  /**
   * A client or cluster of node-redis 5 of yours, connected; it stays open when the storage is closed. It needs an `error` listener, and
   * `disableOfflineQueue: true` (a cluster in its `defaults`): with a queue of its own node-redis mixes up answers when a line is lost.
   */
  client?: RedisClient | RedisCluster;
  /** What every key begins with, in braces; storages of two prefixes never see each other. Letters, digits and `._:-`. Default `artificer`. */
  prefix?: string;
  /** Longest wait for a server that can't be reached or does not answer, in milliseconds. Default 15,000. With `url` only. */
  waitMs?: number;
  /** Calls at most that wait for the server at once; more are refused. Default 10,000. With `url` only. */
  maxQueue?: number;
  /** False leaves vectors to the memory of each process, also where the server could rank them. Default true. */
  vectors?: boolean;
}

/**
 * Opens the storage on a Redis or Valkey server. Any number of processes may have it open. A connection that was lost is made
 * anew by itself: calls wait for it, within bounds; those whose command was on its way when it was lost are refused.
 * What was acknowledged is as durable as the server makes it: see its `appendonly` and `appendfsync`.
 *
 * @throws ArtificerError `storage/unavailable` when the server can't be reached or refuses the user, `storage/unsupported` when
 * it would throw data away to make room, `usage/invalid-argument` for options that can't be.
 */
export async function openRedisStorage(options: RedisStorageOptions): Promise<Storage> {
  const prefix = checkedPrefix(options.prefix ?? "artificer");
  const wantsVectors = checkedVectorsOption(options.vectors ?? true);
  const connected = await connectClient(options);
  const { client, name, end } = connected;
  try {
    const keys = createKeyspace(prefix);
    const connection = createConnection(connected, keys.records);
    await checkEviction(connection, name);
    // Whether the user may see the prefix's keys is better known now than at the first call.
    await connection.run("read", ["HLEN", keys.records]);
    const lack = wantsVectors ? await whyNoVectors(connection, keys.vectors("any"), name) : undefined;
    const hasVectors = wantsVectors && lack === undefined;
    const gate = createCallGate(`The storage in ${name}`, "openRedisStorage");
    // A client of the user's has limits of its own.
    const maxWaiting = options.client === undefined ? (options.maxQueue ?? defaultMaxQueue) : Number.POSITIVE_INFINITY;
    const tooMany = (doing: "read" | "write") => redisError(queueIsFull(), doing, name);
    const base = { connection, keys, gate, maxWaiting, tooMany };
    const changes = createRedisChanges(base, client, name);
    let closing: Promise<void> | undefined;
    return {
      kind: "redis",
      capabilities: { vectors: hasVectors, leases: true, watch: true, durable: true },
      records: createRedisRecords(base),
      blobs: createRedisBlobs(base),
      leases: createRedisLeases(base),
      watch: changes.feed,
      ...(hasVectors ? { vectors: createRedisVectors(base) } : {}),
      notices: lack === undefined ? [] : [lack],
      close() {
        closing ??= gate.close().then(changes.close).then(end);
        return closing;
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function checkedPrefix(prefix: string): string {
  if (typeof prefix === "string" && /^[A-Za-z0-9._:-]{1,100}$/.test(prefix)) return prefix;
  throw new ArtificerError(
    "usage/invalid-argument",
    `\`prefix\` can't be ${JSON.stringify(prefix)}: it must be 1 to 100 letters, digits, or any of \`._:-\`.`,
    { details: { field: "prefix" } },
  );
}

function checkedVectorsOption(vectors: boolean): boolean {
  if (typeof vectors === "boolean") return vectors;
  throw new ArtificerError(
    "usage/invalid-argument",
    `\`vectors\` can't be ${JSON.stringify(vectors)}: it must be true or false.`,
    { details: { field: "vectors" } },
  );
}

import { RESP_TYPES } from "@redis/client";
import { connectClient } from "./connect-client.js";
import type { RedisClient } from "./redis-client.js";
import { redisError } from "./redis-error.js";

/** Keys of a Redis server as they lie there, for reading what other programs keep. */
export interface RedisKeys {
  /** The fields of a hash; none when the key is missing or no hash. */
  hash(key: string): Promise<[field: string, value: Buffer][]>;
  /** The members of a set. */
  set(key: string): Promise<Buffer[]>;
  /** The bytes of a plain key. */
  bytes(key: string): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

/**
 * Connects to a server to read keys of other programs. Nothing is written.
 *
 * @throws ArtificerError `storage/unavailable`, `usage/invalid-argument`
 */
export async function openRedisKeys(options: { url: string; waitMs?: number }): Promise<RedisKeys> {
  const { client, name, end } = await connectClient(options);
  const asked = async (command: string[]): Promise<unknown> => {
    try {
      return await (client as RedisClient).sendCommand(command, { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } });
    } catch (error) {
      // Another type of key is not what is looked for.
      if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return undefined;
      throw redisError(error, "read", name);
    }
  };
  return {
    async hash(key) {
      const flat = ((await asked(["HGETALL", key])) as Buffer[] | undefined) ?? [];
      const pairs: [string, Buffer][] = [];
      for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at]!.toString("utf8"), flat[at + 1]!]);
      return pairs.sort(([left], [right]) => (left < right ? -1 : 1));
    },
    set: async (key) => ((await asked(["SMEMBERS", key])) as Buffer[] | undefined) ?? [],
    bytes: async (key) => ((await asked(["GET", key])) as Buffer | null | undefined) ?? undefined,
    close: end,
  };
}

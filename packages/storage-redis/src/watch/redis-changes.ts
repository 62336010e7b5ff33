import { type ChangeFeed, changeScope, scopeMeets, storagePrefix } from "@artificer/protocol";
import type { RedisBase } from "../connection.js";
import type { RedisClient, RedisCluster } from "../redis-client.js";
import { redisError } from "../redis-error.js";
import { type ChangeChannel, openChangeChannel } from "./change-channel.js";

/** The feed, and how what it opened is ended. */
export interface RedisChanges {
  feed: ChangeFeed;
  close(): Promise<void>;
}

/** Versions that the scripts of every write raise, and a connection of its own for what they publish, made at the first subscription. */
export function createRedisChanges(
  { connection, keys, gate }: RedisBase,
  client: RedisClient | RedisCluster,
  name: string,
): RedisChanges {
  const listeners = new Set<{ prefix: string; changed: () => void }>();
  let channel: Promise<ChangeChannel> | undefined;
  // Without a scope: something may have been missed.
  const heard = (scope: string | undefined) => {
    for (const { prefix, changed } of listeners) if (scope === undefined || scopeMeets(scope, prefix)) changed();
  };
  const feed: ChangeFeed = {
    version: (rawPrefix, { signal } = {}) =>
      gate.pass(signal, async () => {
        const prefix = storagePrefix(rawPrefix);
        if (prefix.includes("/")) {
          const version = await connection.run("read", ["HGET", keys.versions, changeScope(prefix)]);
          return String(version ?? "none");
        }
        const reply = (await connection.run("read", ["HGETALL", keys.versions], "text")) as string[];
        return reply
          .flatMap((scope, at) => (at % 2 === 0 && scopeMeets(scope, prefix) ? [`${scope} ${reply[at + 1]}`] : []))
          .sort()
          .join("\n");
      }),
    subscribe: (rawPrefix, changed) =>
      gate.pass(undefined, async () => {
        const listener = { prefix: storagePrefix(rawPrefix), changed };
        channel ??= openChangeChannel(client, keys.versions, heard);
        try {
          await channel;
        } catch (error) {
          channel = undefined;
          throw redisError(error, "read", name);
        }
        listeners.add(listener);
        return { stop: async () => void listeners.delete(listener) };
      }),
  };
  return {
    feed,
    async close() {
      listeners.clear();
      await (await channel?.catch(() => undefined))?.close();
    },
  };
}

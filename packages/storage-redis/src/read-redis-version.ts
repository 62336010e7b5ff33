import { connectClient } from "./connect-client.js";
import type { RedisClient } from "./redis-client.js";

/**
 * What a server calls itself, such as `Redis 7.0.15` or `Valkey 8.0.1`; undefined where the user may not ask.
 *
 * @throws ArtificerError `storage/unavailable` when it can't be reached.
 */
export async function readRedisVersion(options: { url: string; waitMs?: number }): Promise<string | undefined> {
  const { client, end } = await connectClient(options);
  try {
    const info = String(await (client as RedisClient).sendCommand(["INFO", "server"]).catch(() => ""));
    const version = (name: string) => new RegExp(`^${name}_version:(.*?)\\r?$`, "m").exec(info)?.[1];
    const valkey = version("valkey");
    const redis = version("redis");
    return valkey === undefined ? redis && `Redis ${redis}` : `Valkey ${valkey}`;
  } finally {
    await end();
  }
}

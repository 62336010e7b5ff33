import { ArtificerError } from "@artificer/protocol";
import { createClient } from "@redis/client";
import { createLine, type Line } from "./line.js";
import type { RedisStorageOptions } from "./open-redis-storage.js";
import type { RedisClient, RedisCluster } from "./redis-client.js";
import { redisError } from "./redis-error.js";

export interface Connected {
  client: RedisClient | RedisCluster;
  /** The server by name, without user and password, for messages. */
  name: string;
  /** Of a client of ours. */
  line?: Line;
  /** Ends what we made; a client of the user's stays as it is. */
  end(): Promise<void>;
}

export const defaultMaxQueue = 10_000;
const longestPauseMs = 1_000;

/** The user's client, or one of our own, connected. */
export async function connectClient(options: RedisStorageOptions): Promise<Connected> {
  const { url, client } = options;
  if ((url === undefined) === (client === undefined)) throw invalid("Give `url` or `client`, and not both.");
  if (client !== undefined) {
    for (const name of ["waitMs", "maxQueue"] as const)
      if (options[name] !== undefined) throw invalid(`\`${name}\` goes with \`url\`; a client has limits of its own.`);
    if (!client.isOpen) throw invalid("`client` is not connected: await its connect() first.");
    if (keepsCommands(client)) {
      throw new ArtificerError(
        "usage/invalid-argument",
        "`client` keeps commands while its line is down: then node-redis takes one command's answer for another's.",
        {
          details: { field: "client" },
          hint: "Make it with `disableOfflineQueue: true` (of a cluster, in `defaults`): createClient({ url, disableOfflineQueue: true }).",
        },
      );
    }
    return { client, name: "the Redis server of the client that was given", end: async () => {} };
  }
  const name = nameOf(url ?? "");
  const waitMs = wholeNumber("waitMs", options.waitMs ?? 15_000);
  let everReady = false;
  const maxWaiting = wholeNumber("maxQueue", options.maxQueue ?? defaultMaxQueue);
  const own = createClient({
    url,
    commandsQueueMaxLength: maxWaiting,
    // See createLine: calls wait there.
    disableOfflineQueue: true,
    // A line that was cut without a word is noticed by an answer that doesn't come.
    pingInterval: Math.max(1, Math.floor(waitMs / 3)),
    socket: {
      connectTimeout: waitMs,
      socketTimeout: waitMs,
      // The first time, what is wrong is told at once; afterwards it is tried for as long as it takes.
      reconnectStrategy: (retries) => (everReady ? Math.min(20 * 2 ** Math.min(retries, 10), longestPauseMs) : false),
    },
  });
  // Each call tells of its own failure.
  own.on("error", () => {});
  const line = createLine(own, { waitMs, maxWaiting });
  const end = async () => {
    if (own.isOpen) own.destroy();
  };
  try {
    await own.connect();
  } catch (error) {
    await end();
    throw redisError(error, "read", name);
  }
  everReady = true;
  return { client: own, name, line, end };
}

/** Of a cluster the clients of its members tell, as far as they are connected. */
function keepsCommands(client: RedisClient | RedisCluster): boolean {
  const clients = "masters" in client ? client.masters.map((member) => member.client) : [client];
  return clients.some((one) => {
    const { options } = (one ?? {}) as { options?: { disableOfflineQueue?: boolean } };
    return options !== undefined && options.disableOfflineQueue !== true;
  });
}

/** The address without user and password. */
function nameOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["redis:", "rediss:"].includes(parsed.protocol))
    throw invalid(
      "`url` must be like redis://USER:PASSWORD@HOST:PORT/DATABASE, or rediss: for TLS, with % codes for what is special in it.",
    );
  return `redis at ${parsed.host || "localhost"}${parsed.pathname === "/" ? "" : parsed.pathname}`;
}

function wholeNumber(field: string, value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= 2_000_000_000) return value;
  throw invalid(`\`${field}\` must be a whole number from 1, not ${value}.`);
}

function invalid(message: string): ArtificerError {
  return new ArtificerError("usage/invalid-argument", message);
}

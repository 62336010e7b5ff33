import type { RedisClient, RedisCluster } from "../redis-client.js";

export interface ChangeChannel {
  close(): Promise<void>;
}

/** Listens at a channel. `heard` gets what is published, or undefined when the line was made anew and something may have been missed. */
export async function openChangeChannel(
  client: RedisClient | RedisCluster,
  channel: string,
  heard: (message: string | undefined) => void,
): Promise<ChangeChannel> {
  if ("slots" in client) {
    // The client takes it off again by this very function.
    const listener = (message: unknown) => heard(String(message));
    await client.subscribe(channel, listener);
    return { close: async () => void (await client.unsubscribe(channel, listener).catch(() => {})) };
  }
  const listener = client.duplicate();
  // It is made anew by itself; meanwhile versions tell what is not heard.
  listener.on("error", () => {});
  try {
    await listener.connect();
    await listener.subscribe(channel, heard);
  } catch (error) {
    listener.destroy();
    throw error;
  }
  listener.on("ready", () => heard(undefined));
  return {
    async close() {
      listener.destroy();
    },
  };
}

import { openRedisStorage } from "@artificer/storage-redis";
import { startOwnRedis } from "@artificer/testkit/services";
import { createClient } from "@redis/client";
import type { BackendKind } from "./backend.js";

export const redisBackend: BackendKind = {
  name: "Redis",
  driver: "node-redis",
  async open() {
    const server = await startOwnRedis();
    const storage = await openRedisStorage({ url: server.url });
    const client = createClient({ url: server.url });
    client.on("error", () => {});
    await client.connect();
    return {
      storage,
      bare: {
        put: (key, json) => client.hSet("bare", key, json),
        get: async (key) => JSON.parse((await client.hGet("bare", key)) ?? ""),
        async list() {
          const all = Object.entries(await client.hGetAll("bare")).sort(([a], [b]) => (a < b ? -1 : 1));
          return all.map(([, json]) => JSON.parse(json));
        },
      },
      async close() {
        await storage.close();
        client.destroy();
        await server.stop();
      },
    };
  },
};

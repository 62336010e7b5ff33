import { openRedisStorage } from "@artificer/storage-redis";
import { startOwnRedis } from "@artificer/testkit/services";
import { createClient, RESP_TYPES } from "@redis/client";
import type { BackendKind } from "./backend.js";

export const redisBackend: BackendKind = {
  name: "Redis",
  driver: "node-redis",
  async open() {
    const server = await startOwnRedis();
    const open = () => openRedisStorage({ url: server.url, prefix: "bench" });
    const storage = await open();
    const client = createClient({ url: server.url });
    client.on("error", () => {});
    await client.connect();
    const bytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
    return {
      storage,
      reopen: open,
      openQuickly: open,
      bare: {
        put: (key, json) => client.hSet("bare", key, json),
        get: async (key) => JSON.parse((await client.hGet("bare", key)) ?? ""),
        async list() {
          const all = Object.entries(await client.hGetAll("bare")).sort(([a], [b]) => (a < b ? -1 : 1));
          return all.map(([, json]) => JSON.parse(json));
        },
        readSkills: () => bytes.hGetAll("{bench}:small-blobs"),
        async readLibrary() {
          await client.hGetAll("{bench}:records");
          await client.hGetAll("{bench}:blobs");
          for (const key of await client.keys("{bench}:chunks:*")) await bytes.hGetAll(key);
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

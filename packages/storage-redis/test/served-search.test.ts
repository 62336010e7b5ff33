import { randomBytes } from "node:crypto";
import { testServedSearch } from "@artificer/testkit";
import { findRedisServers, startOwnRedis } from "@artificer/testkit/services";
import { openRedisStorage } from "../src/open-redis-storage.js";

testServedSearch("The Redis storage with vector sets", {
  async start() {
    const found = (await findRedisServers()).find(({ kind }) => kind === "Redis with vector sets");
    if (found === undefined || "reason" in found) return { notRun: found?.reason ?? "", stop: async () => {} };
    const server = await startOwnRedis([], { program: found.program });
    return {
      async open() {
        const options = { url: server.url, prefix: randomBytes(6).toString("hex") };
        const reopen = () => openRedisStorage(options);
        return { storage: await reopen(), reopen };
      },
      stop: () => server.stop(),
    };
  },
});

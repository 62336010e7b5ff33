import { randomBytes } from "node:crypto";
import { testServedSearch } from "@artificer/testkit";
import { findRedisServers, startOwnRedis } from "@artificer/testkit/services";
import { createClient } from "@redis/client";
import { openRedisStorage } from "../src/open-redis-storage.js";

testServedSearch("The Redis storage with vector sets", {
  async start() {
    const found = (await findRedisServers()).find(({ kind }) => kind === "Redis with vector sets");
    if (found === undefined || "reason" in found) return { notRun: found?.reason ?? "", stop: async () => {} };
    const server = await startOwnRedis([], { program: found.program });
    const admin = createClient({ url: server.url });
    admin.on("error", () => {});
    await admin.connect();
    return {
      async open() {
        const prefix = randomBytes(6).toString("hex");
        const rights = ["on", ">pass", `~{${prefix}}*`, `&{${prefix}}*`, "+@all", "-@admin", "-@dangerous"];
        await admin.sendCommand(["ACL", "SETUSER", prefix, ...rights]);
        const url = `redis://${prefix}:pass@127.0.0.1:${server.port}`;
        const reopen = () => openRedisStorage({ url, prefix });
        const commands = ["vsim", "vemb", "vcard", "vdim"];
        const breakRanking = async () => {
          await admin.sendCommand(["ACL", "SETUSER", prefix, ...commands.map((name) => `-${name}`)]);
          return {
            mend: async () => {
              await admin.sendCommand(["ACL", "SETUSER", prefix, ...commands.map((name) => `+${name}`)]);
            },
          };
        };
        return { storage: await reopen(), reopen, breakRanking };
      },
      async stop() {
        admin.destroy();
        await server.stop();
      },
    };
  },
});

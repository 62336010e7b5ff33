import { randomBytes } from "node:crypto";
import { testStorage } from "@artificer/testkit";
import { type Service, startRedis } from "@artificer/testkit/services";
import { afterAll, beforeAll } from "vitest";
import { openRedisStorage } from "../src/open-redis-storage.js";

let server: Service;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server?.stop());

testStorage("The Redis storage", async () => {
  const options = { url: server.url, prefix: randomBytes(6).toString("hex") };
  const storage = await openRedisStorage(options);
  return { storage, reopen: () => openRedisStorage(options), close: () => storage.close() };
});

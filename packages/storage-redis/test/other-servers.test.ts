import { randomBytes } from "node:crypto";
import { testStorage } from "@artificer/testkit";
import { findRedisServers, type OwnService, startOwnRedis } from "@artificer/testkit/services";
import { afterAll, expect, test } from "vitest";
import { openRedisStorage } from "../src/open-redis-storage.js";
import { readRedisVersion } from "../src/read-redis-version.js";

// The usual one is what all the other files run on.
const [, ...others] = await findRedisServers();
const running = new Map<string, Promise<OwnService>>();

function started(program: string): Promise<OwnService> {
  const server = running.get(program) ?? startOwnRedis([], { program });
  running.set(program, server);
  return server;
}

afterAll(async () => {
  for (const server of running.values()) await (await server).stop();
});

for (const other of others) {
  if ("reason" in other) {
    test(`The Redis storage on ${other.kind} keeps the storage contract [P8]`, (context) => {
      context.skip(true, other.reason);
    });
    continue;
  }
  const { kind, name, program } = other;
  testStorage(`The Redis storage on ${name}`, async () => {
    const options = { url: (await started(program)).url, prefix: randomBytes(6).toString("hex") };
    const storage = await openRedisStorage(options);
    return { storage, reopen: () => openRedisStorage(options), close: () => storage.close() };
  });

  test(`${name} is told by its name, and says whether it ranks vectors and why not [P8]`, async () => {
    const { url } = await started(program);
    expect(await readRedisVersion({ url })).toBe(name);
    const storage = await openRedisStorage({ url });
    const has = kind === "Redis with vector sets";
    expect(storage.capabilities.vectors).toBe(has);
    expect(storage.notices).toEqual(has ? [] : [expect.stringContaining("has no vector sets")]);
    await storage.close();
  });
}

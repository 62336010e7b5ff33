import { testSharedStorage } from "@artificer/testkit";
import { findRedisServers, startOwnRedis } from "@artificer/testkit/services";

for (const server of await findRedisServers()) {
  // That a kind is missing is told by the contract's tests.
  if ("reason" in server) continue;
  testSharedStorage(`The Redis storage on ${server.name}`, {
    start: () => startOwnRedis([], { program: server.program }),
    module: new URL("../dist/index.js", import.meta.url).href,
    factory: "openRedisStorage",
    options: ({ host, port }) => ({ url: `redis://${host}:${port}` }),
    impatient: { waitMs: 1_500 },
  });
}

import { testSharedStorage } from "@artificer/testkit";
import { startOwnRedis } from "@artificer/testkit/services";

testSharedStorage("The Redis storage", {
  start: () => startOwnRedis(),
  module: new URL("../dist/index.js", import.meta.url).href,
  factory: "openRedisStorage",
  options: ({ host, port }) => ({ url: `redis://${host}:${port}` }),
  impatient: { waitMs: 1_500 },
});

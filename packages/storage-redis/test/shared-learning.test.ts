import { testSharedLearning } from "@artificer/testkit";
import { startOwnRedis } from "@artificer/testkit/services";

testSharedLearning("The Redis storage", {
  async start() {
    const server = await startOwnRedis();
    const module = new URL("../dist/index.js", import.meta.url).href;
    return { target: { module, factory: "openRedisStorage", options: { url: server.url } }, stop: () => server.stop() };
  },
});

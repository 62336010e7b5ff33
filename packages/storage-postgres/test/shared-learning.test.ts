import { testSharedLearning } from "@artificer/testkit";
import { startOwnPostgres } from "@artificer/testkit/services";

testSharedLearning("The Postgres storage", {
  async start() {
    const server = await startOwnPostgres();
    const module = new URL("../dist/index.js", import.meta.url).href;
    return {
      target: { module, factory: "openPostgresStorage", options: { url: server.url } },
      stop: () => server.stop(),
    };
  },
});

import { testToolkit } from "@artificer/testkit";
import { json, localServer, openLocal } from "./local-server.js";

testToolkit("[P2] an HTTP API", async () => {
  const server = await localServer((seen, response) => {
    if (seen.url === "/good") json(response, { good: true });
    if (seen.url === "/failing") json(response, {}, 418);
  });
  const endpoints = ["good", "failing", "slow"].map((name) => ({ name, path: `/${name}` }));
  return {
    toolkit: await openLocal({ baseUrl: server.url, endpoints }),
    good: { tool: "good", args: {} },
    failing: { tool: "failing", args: {} },
    slow: { tool: "slow", args: {} },
    cleanup: server.close,
  };
});

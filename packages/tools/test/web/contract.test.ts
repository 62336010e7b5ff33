import { testToolkit } from "@artificer/testkit";
import { createWebToolkit } from "../../src/web/index.js";
import { localServer } from "../http/local-server.js";

testToolkit("web", async () => {
  const server = await localServer((seen, response) => {
    if (seen.url !== "/slow") response.writeHead(200, { "content-type": "text/plain" }).end("hello");
  });
  return {
    toolkit: createWebToolkit({ allow: ["127.0.0.1"] }),
    good: { tool: "web_extract", args: { urls: [server.url] } },
    failing: { tool: "web_search", args: { query: "no engine" } },
    slow: { tool: "web_extract", args: { urls: [`${server.url}/slow`] } },
    cleanup: () => server.close(),
  };
});

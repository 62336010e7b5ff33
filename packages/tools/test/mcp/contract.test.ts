import { testToolkit } from "@artificer/testkit";
import { openMcpToolkit } from "../../src/mcp/index.js";
import { fixtureServer } from "./fixture-server.js";

testToolkit("[P2] an MCP server", async () => ({
  toolkit: await openMcpToolkit(fixtureServer("behaves-in-every-way")),
  good: { tool: "good", args: {} },
  failing: { tool: "failing", args: {} },
  slow: { tool: "slow", args: {} },
}));

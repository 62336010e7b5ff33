import type { ToolInfo } from "@artificer/runtime";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Session } from "../session/session.js";
import { answering, plainJson, toolResult } from "./tool-result.js";

/** Registers `list_tools` and `search_tools`: what cells can call, not what the client can. */
export function registerToolTools(server: McpServer, session: Session): void {
  server.registerTool(
    "list_tools",
    {
      title: "List tools",
      description: "Every tool that code in run_code can call, with its signature.",
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true },
    },
    () => answering(async () => toolsResult(await session.listTools())),
  );

  server.registerTool(
    "search_tools",
    {
      title: "Search tools",
      description: "Finds tools that code in run_code can call by what they do, best first.",
      inputSchema: z.object({ query: z.string(), limit: z.int().min(1).max(100).default(10) }),
      annotations: { readOnlyHint: true },
    },
    ({ query, limit }) => answering(async () => toolsResult(await session.searchTools(query, { limit }))),
  );
}

function toolsResult(tools: readonly ToolInfo[]) {
  const lines = tools.map(({ signature, description }) => `- ${signature}: ${description}`);
  return toolResult(lines.join("\n") || "No tools.", {
    tools: tools.map(({ path, signature, description, definition }) =>
      plainJson({ path, signature, description, inputSchema: definition.inputSchema, effect: definition.effect }),
    ),
  });
}

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
      description:
        "Every tool that code in run_code can call, with its signature. With budget_tokens, a catalogue of about that length, which says whether it is COMPLETE or PARTIAL.",
      inputSchema: z.object({ budget_tokens: z.int().min(1).max(1_000_000).optional() }),
      annotations: { readOnlyHint: true },
    },
    ({ budget_tokens: budgetTokens }) =>
      answering(async () => {
        if (budgetTokens === undefined) return toolsResult(await session.listTools());
        const catalog = session.catalogTools({ budgetTokens, elsewhere: " (or the tool search_tools)" });
        return toolResult(catalog, { catalog, complete: catalog.startsWith("COMPLETE") });
      }),
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

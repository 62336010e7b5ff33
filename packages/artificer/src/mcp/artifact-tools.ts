import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Session } from "../session/session.js";
import { answering, plainJson, toolResult } from "./tool-result.js";

/** Registers `list_artifacts`. Their contents are read in cells, where they cost the model nothing. */
export function registerArtifactTools(server: McpServer, session: Session): void {
  server.registerTool(
    "list_artifacts",
    {
      title: "List artifacts",
      description: 'Values and files kept beyond sessions; a cell reads one with artifacts.load("name").',
      inputSchema: z.object({ prefix: z.string().optional().describe("Only names that begin so.") }),
      annotations: { readOnlyHint: true },
    },
    ({ prefix }) =>
      answering(async () => {
        const artifacts = await session.listArtifacts({ prefix });
        const lines = artifacts.map(
          ({ name, kind, bytes, description }) =>
            `- ${name} (${kind}, ${bytes} bytes)${description ? `: ${description}` : ""}`,
        );
        return toolResult(lines.join("\n") || "No artifacts.", { artifacts: artifacts.map((info) => plainJson(info)) });
      }),
  );
}

import { McpServer } from "@modelcontextprotocol/server";
import type { Session } from "../session/session.js";
import { registerArtifactTools } from "./artifact-tools.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { registerRunCode } from "./run-code-tool.js";
import { registerSkillTools } from "./skill-tools.js";
import { registerToolTools } from "./tool-tools.js";

/**
 * An MCP server over one session: `run_code` with variables that live on, and the session's tools, skills and artifacts.
 * The session stays the caller's to close.
 */
export async function createMcpServer(session: Session, options: McpServerOptions = {}): Promise<McpServer> {
  const server = new McpServer(
    { name: options.name ?? "artificer", version: options.version ?? "0.0.0" },
    { capabilities: { tools: {} }, instructions, inputRequired: { maxRounds: 100 } },
  );
  await registerRunCode(server, session, options);
  registerSkillTools(server, session, options);
  registerToolTools(server, session);
  registerArtifactTools(server, session);
  return server;
}

const instructions = `Work in code: run_code runs cells in a persistent kernel in which every tool is a function. Before writing code \
for a task, look for a skill with search_skills; once code works and is worth keeping, keep it with create_skill.`;

import { fileURLToPath } from "node:url";
import type { ToolCallContext } from "@artificer/protocol";
import { checkMcpDefinition, type McpDefinition, type McpDefinitionInput } from "../../src/mcp/index.js";

/** The definition of one of the fixture servers, or of any other script. */
export function fixtureServer(script: string, fields: Partial<McpDefinitionInput> = {}): McpDefinition {
  const path = fileURLToPath(new URL(`../fixtures/mcp/${script}.mjs`, import.meta.url));
  const { args = [], ...rest } = fields;
  return checkMcpDefinition(
    { type: "mcp", name: "fixture", command: process.execPath, args: [path, ...args], ...rest },
    script,
  );
}

/** The definition of a server that an npm package brings. */
export function packageServer(name: string, args: string[], fields: Partial<McpDefinitionInput> = {}): McpDefinition {
  const path = fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));
  return checkMcpDefinition({ type: "mcp", name, command: process.execPath, args: [path, ...args], ...fields }, name);
}

/** A call's context as the host makes it. */
export function callContext(fields: Partial<ToolCallContext> = {}): ToolCallContext {
  return { signal: new AbortController().signal, session: "session", cell: 1, ...fields };
}

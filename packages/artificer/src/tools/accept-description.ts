import { ArtificerError, nearestNames, type Toolkit } from "@artificer/protocol";
import type { McpToolkit } from "@artificer/tools/mcp";
import type { Session } from "../session/session.js";

/**
 * Takes what an MCP server says of itself now for good, so that it is not told as changed any more.
 *
 * @returns whether that was anything new
 * @throws ArtificerError `tool/unknown-toolkit`; `usage/invalid-argument` for a toolkit that is no MCP server
 */
export async function acceptDescription({ parts }: Session, toolkit: string): Promise<boolean> {
  const toolkits = parts.toolkits ?? [];
  const found = toolkits.find(({ name }) => name === toolkit);
  if (found !== undefined && isMcp(found)) return found.accept();
  const servers = toolkits.filter(isMcp).map(({ name }) => name);
  const code = found === undefined ? "tool/unknown-toolkit" : "usage/invalid-argument";
  throw new ArtificerError(code, `There is no MCP server named ${JSON.stringify(toolkit)} among the toolkits.`, {
    details: { toolkit, nearest: nearestNames(toolkit, servers), allowed: servers },
    hint: servers.length === 0 ? "This base has none." : `There are ${servers.join(", ")}.`,
  });
}

function isMcp(toolkit: Toolkit): toolkit is McpToolkit {
  return "accept" in toolkit && typeof toolkit.accept === "function";
}

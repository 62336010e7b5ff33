import { ArtificerError, nearestNames, type Toolkit } from "@artificer/protocol";
import type { Session } from "../session/session.js";

/**
 * Takes what an MCP server, or the OpenAPI document of an address, says now for good, so that it is not told as changed any more.
 *
 * @returns whether that was anything new
 * @throws ArtificerError `tool/unknown-toolkit`; `usage/invalid-argument` for a toolkit that nobody else describes
 */
export async function acceptDescription({ parts }: Session, toolkit: string): Promise<boolean> {
  const toolkits = parts.toolkits ?? [];
  const found = toolkits.find(({ name }) => name === toolkit);
  if (found !== undefined && isDescribed(found)) return found.accept();
  const servers = toolkits.filter(isDescribed).map(({ name }) => name);
  const code = found === undefined ? "tool/unknown-toolkit" : "usage/invalid-argument";
  throw new ArtificerError(
    code,
    `There is no MCP server, nor an API described at an address, named ${JSON.stringify(toolkit)} among the toolkits.`,
    {
      details: { toolkit, nearest: nearestNames(toolkit, servers), allowed: servers },
      hint: servers.length === 0 ? "This base has none." : `There are ${servers.join(", ")}.`,
    },
  );
}

function isDescribed(toolkit: Toolkit): toolkit is Toolkit & { accept(): Promise<boolean> } {
  return "accept" in toolkit && typeof toolkit.accept === "function";
}

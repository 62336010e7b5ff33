import { type ArtificerError, toArtificerError } from "@artificer/protocol";
import { type McpToolkit, type McpToolkitOptions, openMcpToolkit } from "./open-mcp-toolkit.js";
import { readMcpServers } from "./read-mcp-servers.js";

/** The servers of an `mcpServers` configuration, opened. */
export interface McpServersLoad {
  toolkits: McpToolkit[];
  /** Servers that could not be opened, with why; the others work all the same. */
  failures: { name: string; error: ArtificerError }[];
  /** Servers that the configuration turns off. */
  disabled: string[];
  /** Fields that belong to other clients and mean nothing here, as `server.field`. */
  ignored: string[];
}

/**
 * Opens every server of the `mcpServers` JSON that other clients use, side by side.
 *
 * @param config the parsed JSON
 * @throws ArtificerError `tool/definition-invalid` when the configuration itself is wrong.
 */
export async function loadMcpServers(config: unknown, options: McpToolkitOptions = {}): Promise<McpServersLoad> {
  const { definitions, disabled, ignored } = readMcpServers(config);
  const opened = await Promise.allSettled(definitions.map((definition) => openMcpToolkit(definition, options)));
  const load: McpServersLoad = { toolkits: [], failures: [], disabled, ignored };
  opened.forEach((result, index) => {
    if (result.status === "fulfilled") load.toolkits.push(result.value);
    else
      load.failures.push({
        name: definitions[index]!.name,
        error: toArtificerError(result.reason, "tool/unavailable"),
      });
  });
  return load;
}

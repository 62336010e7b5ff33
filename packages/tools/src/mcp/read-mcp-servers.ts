import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";
import { checkDefinition } from "../remote/read-definition.js";
import type { McpDefinition } from "./mcp-definition.js";
import { checkMcpDefinition } from "./read-mcp-definition.js";

/** The servers of another client's configuration, and what of it means nothing here. */
export interface McpServersReading {
  definitions: McpDefinition[];
  /** Names of servers that the file turns off. */
  disabled: string[];
  /** Fields that belong to other clients, as `server.field`. */
  ignored: string[];
}

const server = z.looseObject({
  type: z.enum(["stdio", "http", "streamable-http", "streamableHttp", "sse"]).optional(),
  transport: z.enum(["stdio", "http", "streamable-http", "streamableHttp", "sse"]).optional(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
});
const servers = z.record(z.string().min(1), server);
const configuration = z.looseObject({ mcpServers: servers.optional(), servers: servers.optional() });

const handled = new Set(["type", "transport", "disabled", "enabled"]);
const passed = new Set(["command", "args", "env", "cwd", "url", "headers", "description"]);
/** Fields that only this project writes there. */
const own = new Set([
  "start",
  "startTimeoutMs",
  "timeoutMs",
  "maxResultBytes",
  "tools",
  "effect",
  "effects",
  "protocol",
]);

/**
 * Reads the `mcpServers` JSON that desktop clients and editors use (`servers` in some).
 * Fields that only those clients know are left out and told.
 *
 * @param config the parsed JSON
 * @throws ArtificerError `tool/definition-invalid`, naming the server and the field.
 */
export function readMcpServers(config: unknown, source = "mcpServers"): McpServersReading {
  const read = checkDefinition(configuration, config, source);
  const entries = read.mcpServers ?? read.servers;
  if (entries === undefined) {
    throw new ArtificerError("tool/definition-invalid", `${source}: there is no mcpServers object in it.`, {
      details: { source, keys: Object.keys(read).slice(0, 20) },
      hint: 'Write {"mcpServers": {"name": {"command": "…", "args": []}}}.',
    });
  }
  const reading: McpServersReading = { definitions: [], disabled: [], ignored: [] };
  for (const [name, entry] of Object.entries(entries)) {
    if (entry.disabled === true || entry.enabled === false) {
      reading.disabled.push(name);
      continue;
    }
    const fields: Record<string, unknown> = { type: "mcp", name };
    const transport = entry.transport ?? entry.type;
    if (transport !== undefined) fields.transport = transport === "streamableHttp" ? "streamable-http" : transport;
    for (const [key, value] of Object.entries(entry)) {
      if (passed.has(key) || own.has(key)) fields[key] = value;
      else if (!handled.has(key)) reading.ignored.push(`${name}.${key}`);
    }
    reading.definitions.push(checkMcpDefinition(fields, `${source}, server "${name}"`));
  }
  return reading;
}

import { checkDefinition, readDefinition } from "../remote/read-definition.js";
import { type McpDefinition, mcpDefinition } from "./mcp-definition.js";

/**
 * Reads one server's definition from YAML or JSON text.
 *
 * @param source where the text is from, for messages
 * @throws ArtificerError `tool/definition-invalid`, naming source, line and field.
 */
export function readMcpDefinition(text: string, source: string): McpDefinition {
  return readDefinition(mcpDefinition, text, source);
}

/**
 * Checks one server's definition given as an object.
 *
 * @throws ArtificerError `tool/definition-invalid`, naming the field.
 */
export function checkMcpDefinition(data: unknown, source: string): McpDefinition {
  return checkDefinition(mcpDefinition, data, source);
}

import { ArtificerError } from "@artificer/protocol";
import { readCliToolkit } from "@artificer/tools/cli";
import { parseDocument } from "yaml";
import { parseConfig } from "../config/parse-config.js";

/** Reads a definition of tools or a configuration as a session would, and starts nothing. @throws ArtificerError with what is wrong. */
export async function checkStoredText(key: string, text: string): Promise<void> {
  if (key === "config.yaml") {
    parseConfig(text, key);
  } else if (key === "mcp.json") {
    const { readMcpServers } = await import("@artificer/tools/mcp");
    readMcpServers(parseJson(text, key), key);
  } else if (/^tools\/[^/]+\.ya?ml$/i.test(key)) await checkTool(key, text);
}

async function checkTool(key: string, text: string): Promise<void> {
  const document = parseDocument(text);
  const type = document.errors.length === 0 && "get" in (document.contents ?? {}) ? document.get("type") : undefined;
  if (type === "mcp") (await import("@artificer/tools/mcp")).readMcpDefinition(text, key);
  else if (type === "http") (await import("@artificer/tools/http")).readHttpDefinition(text, key);
  else readCliToolkit(text, { source: key });
}

function parseJson(text: string, key: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ArtificerError("tool/definition-invalid", `${key}: this is no JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}

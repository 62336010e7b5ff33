import { dirname } from "node:path";
import { ArtificerError, nearestName, type Toolkit } from "@artificer/protocol";
import { readCliToolkit, readToolFiles, type ToolFile } from "@artificer/tools/cli";
import { parseDocument } from "yaml";
import { pinning } from "./description-pinning.js";
import { gatherToolkits, type ToolLoad } from "./gather-toolkits.js";
import { connectMcp, type McpConnectOptions } from "./load-mcp-file.js";

/** What the definitions of tools may draw on. */
export interface ToolLoadOptions extends McpConnectOptions {
  /** Where programs run unless their definition says otherwise. */
  cwd?: string;
}

const kinds = ["cli", "mcp", "http"] as const;

/**
 * Makes a toolkit of every `*.yaml` and `*.yml` in a folder: of command-line programs, of MCP servers (`type: mcp`) and of HTTP
 * APIs (`type: http`). Side by side, in the order of their names; none is held up by another's failure.
 */
export async function loadToolFolder(folder: string, options: ToolLoadOptions = {}): Promise<ToolLoad> {
  const { files, problems } = await readToolFiles(folder);
  const opened = await Promise.allSettled(files.map((file) => openDefinition(file, options)));
  return gatherToolkits(
    opened.map((result, at) => ({ source: files[at]!.source, result })),
    problems,
  );
}

async function openDefinition({ source, text }: ToolFile, options: ToolLoadOptions): Promise<Toolkit> {
  const type = kindOf(text);
  const { cwd, resolveSecret } = options;
  switch (type) {
    case undefined:
    case "cli":
      return readCliToolkit(text, {
        source,
        ...(cwd === undefined ? {} : { cwd }),
        ...(resolveSecret === undefined ? {} : { resolveSecret }),
      });
    case "mcp": {
      const { readMcpDefinition } = await import("@artificer/tools/mcp");
      return connectMcp(readMcpDefinition(text, source), { ...options, source });
    }
    case "http": {
      const { openHttpToolkit, readHttpDefinition } = await import("@artificer/tools/http");
      return openHttpToolkit(readHttpDefinition(text, source), {
        directory: dirname(source),
        ...(await pinning({ ...options, source })),
        ...(resolveSecret === undefined ? {} : { resolveSecret }),
      });
    }
    default:
      throw unknownKind(type, source);
  }
}

/** What is no YAML is left to the reader of programs, which says where it is broken. */
function kindOf(text: string): unknown {
  const document = parseDocument(text);
  return document.errors.length > 0 || !("get" in (document.contents ?? {})) ? undefined : document.get("type");
}

function unknownKind(type: unknown, source: string): ArtificerError {
  const nearest = nearestName(String(type), kinds);
  return new ArtificerError(
    "tool/definition-invalid",
    `${source}: \`type\`: ${JSON.stringify(type)} is no kind of tool that is known here.${nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`} Allowed: ${kinds.join(", ")}.`,
    {
      details: { file: source, field: "type", allowed: [...kinds] },
      hint: "Leave type out for a command-line program; docs/tools.md shows each kind.",
    },
  );
}

import { readFile } from "node:fs/promises";
import { ArtificerError, type Toolkit } from "@artificer/protocol";
import type { McpDefinition } from "@artificer/tools/mcp";
import type { SecretResolver } from "./create-secret-resolver.js";
import { pinning } from "./description-pinning.js";
import { gatherToolkits, type ToolLoad } from "./gather-toolkits.js";

/** Something that is put up with, told once. */
export interface ToolWarning {
  code: string;
  message: string;
  hint?: string;
  file: string;
}

export interface McpConnectOptions {
  resolveSecret?: SecretResolver;
  /** Where descriptions of servers are kept, so that these need not be started to list their tools. */
  cacheFolder?: string;
  onWarning?: (warning: ToolWarning) => void;
}

/** Opens one server; what it does that is only odd becomes a warning. */
export async function connectMcp(
  definition: McpDefinition,
  options: McpConnectOptions & { source: string },
): Promise<Toolkit> {
  const { resolveSecret, cacheFolder } = options;
  const { createFileDescriptionCache, openMcpToolkit } = await import("@artificer/tools/mcp");
  return openMcpToolkit(definition, {
    ...(resolveSecret === undefined ? {} : { resolveSecret }),
    ...(cacheFolder === undefined ? {} : { descriptions: createFileDescriptionCache(cacheFolder) }),
    ...(await pinning(options)),
  });
}

/** Opens the servers of an `mcp.json`, as other clients write it. No file, no servers. */
export async function loadMcpFile(file: string, options: McpConnectOptions = {}): Promise<ToolLoad> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { toolkits: [], problems: [] };
    return { toolkits: [], problems: [{ source: file, error: unreadable(file, error) }] };
  }
  try {
    const { readMcpServers } = await import("@artificer/tools/mcp");
    const { definitions, ignored } = readMcpServers(parseJson(text, file), file);
    if (ignored.length > 0) {
      options.onWarning?.({
        code: "tool/field-ignored",
        message: `${file}: these fields mean nothing here: ${ignored.join(", ")}.`,
        file,
      });
    }
    const opened = await Promise.allSettled(
      definitions.map((definition) => connectMcp(definition, { ...options, source: file })),
    );
    return gatherToolkits(opened.map((result) => ({ source: file, result })));
  } catch (error) {
    return {
      toolkits: [],
      problems: [{ source: file, error: ArtificerError.is(error) ? error : unreadable(file, error) }],
    };
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new ArtificerError("tool/definition-invalid", `${file}: this is no JSON: ${(cause as Error).message}`, {
      details: { file },
      cause,
    });
  }
}

function unreadable(file: string, cause: unknown): ArtificerError {
  return new ArtificerError("config/unreadable", `${file} can't be read: ${(cause as Error).message}`, {
    details: { file },
    cause,
  });
}

import { join } from "node:path";
import type { McpToolkitOptions } from "@artificer/tools/mcp";
import type { McpConnectOptions } from "./load-mcp-file.js";

/** How the descriptions that come from elsewhere are pinned in a base, and what differs becomes a warning. */
export async function pinning({
  source,
  cacheFolder,
  onWarning,
}: McpConnectOptions & { source: string }): Promise<Pick<McpToolkitOptions, "pins" | "onWarning" | "onChanged">> {
  const { createFileDescriptionCache } = await import("@artificer/tools/mcp");
  return {
    ...(cacheFolder === undefined ? {} : { pins: createFileDescriptionCache(join(cacheFolder, "pins")) }),
    onWarning: (message) => onWarning?.({ code: "tool/warning", message, file: source }),
    onChanged: ({ toolkit, added, removed, changed, instructionsChanged }) =>
      onWarning?.({
        code: "tool/description-changed",
        message: `The server ${toolkit} describes itself otherwise than what was accepted: ${[
          ...added.map((name) => `+${name}`),
          ...removed.map((name) => `-${name}`),
          ...changed.map((name) => `~${name}`),
          ...(instructionsChanged ? ["its instructions or what it offers"] : []),
        ].join(", ")}.`,
        hint: `Cells see the tools as they are now. Look at them with \`artificer tools list\`, then accept them with \`artificer tools accept ${toolkit}\`.`,
        file: source,
      }),
  };
}

import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";
import { defineTool } from "../functions/index.js";
import type { WorkspaceContext } from "./workspace-context.js";
import { writeInside } from "./write-inside.js";

/** `write_file`: a file's whole content, put there at once. */
export function writeFileTool({ root, limits, exclusively }: WorkspaceContext) {
  return defineTool({
    description:
      "Writes a file of the workspace whole, in place of what was there; missing folders are made. Readers see the old content or the new one, never a part.",
    input: z.object({
      path: z.string().describe("Relative to the workspace's root"),
      content: z.union([z.string(), z.instanceof(Uint8Array)]).describe("Text, or bytes"),
    }),
    output: z.object({ success: z.literal(true), path: z.string(), bytes: z.int(), created: z.boolean() }),
    effect: "write",
    tags: ["file", "workspace"],
    run: ({ path, content }, { signal }) =>
      exclusively(async () => {
        const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
        if (bytes.byteLength > limits.maxFileBytes) {
          throw new ArtificerError(
            "tool/invalid-argument",
            `The content has ${bytes.byteLength} bytes; at most ${limits.maxFileBytes} are written.`,
            { details: { argument: "content", bytes: bytes.byteLength, maxBytes: limits.maxFileBytes } },
          );
        }
        const located = await root.locate(path);
        signal.throwIfAborted();
        const created = await writeInside(root, located, bytes);
        return { success: true, path: located.shown, bytes: bytes.byteLength, created };
      }),
  });
}

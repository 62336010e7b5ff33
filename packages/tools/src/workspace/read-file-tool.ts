import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";
import { defineTool } from "../functions/index.js";
import { readInside } from "./read-inside.js";
import { decodeText, isBinary } from "./text-file.js";
import type { WorkspaceContext } from "./workspace-context.js";

/** `read_file`: a file's text by lines, or its bytes. */
export function readFileTool({ root, limits }: WorkspaceContext) {
  return defineTool({
    description:
      "Reads a text file of the workspace. content is the raw text of the lines asked for, without line numbers; truncated says that there is more.",
    input: z.object({
      path: z.string().describe("Relative to the workspace's root"),
      offset: z.int().positive().default(1).describe("First line, from 1"),
      limit: z.int().positive().default(2000).describe("Lines at most"),
      encoding: z.enum(["utf-8", "bytes"]).default("utf-8").describe("bytes gives the whole file as bytes"),
    }),
    output: fileShape,
    effect: "read",
    tags: ["file", "workspace"],
    run: async ({ path, offset, limit, encoding }, { signal }) => {
      const { bytes, shown } = await readInside(root, path, { maxBytes: limits.maxFileBytes, signal });
      const facts = { path: shown, bytes: bytes.byteLength };
      if (encoding === "bytes")
        return { ...facts, content: Uint8Array.from(bytes), total_lines: 0, offset: 1, lines: 0, truncated: false };
      if (isBinary(bytes)) {
        throw new ArtificerError("tool/failed", `${shown} is a binary file of ${bytes.byteLength} bytes.`, {
          details: facts,
          hint: 'read_file(path, encoding="bytes") gives its bytes.',
        });
      }
      return { ...facts, ...cutLines(decodeText(bytes).text, { offset, limit, maxChars: limits.maxReadChars }) };
    },
  });
}

const fileShape = z.object({
  path: z.string(),
  content: z.union([z.string(), z.instanceof(Uint8Array)]),
  total_lines: z.int(),
  offset: z.int(),
  lines: z.int(),
  truncated: z.boolean(),
  bytes: z.int(),
});

/** The lines from `offset` on, exactly as they stand, and how many there are in all. */
function cutLines(text: string, { offset, limit, maxChars }: { offset: number; limit: number; maxChars: number }) {
  let total = 0;
  let start = text.length;
  let end = text.length;
  for (let at = 0; at < text.length; ) {
    total++;
    if (total === offset) start = at;
    const feed = text.indexOf("\n", at);
    at = feed < 0 ? text.length : feed + 1;
    if (total === offset + limit - 1) end = at;
  }
  let content = text.slice(start, Math.max(start, end));
  if (content.length > maxChars) {
    const line = content.lastIndexOf("\n", maxChars - 1) + 1;
    content = content.slice(0, line === 0 ? maxChars : line);
  }
  const lines = countLines(content);
  return { content, total_lines: total, offset, lines, truncated: start + content.length < text.length };
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}

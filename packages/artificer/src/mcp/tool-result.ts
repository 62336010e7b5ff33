import { type JsonObject, toArtificerError } from "@artificer/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** A result for a model to read and a program to use. */
export function toolResult(text: string, structured: JsonObject): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: structured };
}

/** Runs a tool's body; what it throws becomes a result with `isError`, in words that say how to mend it, never a stack. */
export async function answering<Result = CallToolResult>(
  body: () => Promise<Result>,
): Promise<Result | CallToolResult> {
  try {
    return await body();
  } catch (thrown) {
    const error = toArtificerError(thrown);
    const hint = error.hint === undefined ? "" : `\n${error.hint}`;
    return {
      isError: true,
      content: [{ type: "text", text: `${error.code}: ${error.message}${hint}` }],
      structuredContent: { error: JSON.parse(JSON.stringify(error.toJSON())) as JsonObject },
    };
  }
}

/** Anything that JSON can write, as plain JSON: dates become text, undefined goes. */
export function plainJson(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

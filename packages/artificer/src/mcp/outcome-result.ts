import { type Display, type JsonObject, type JsonValue, toBase64, valueToJson } from "@artificer/protocol";
import type { Outcome } from "@artificer/runtime";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

/** Characters of JSON above which a value is left to its `repr`. */
const maxValueChars = 20_000;

/** Pictures that MCP clients show. */
const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** What a cell gave, as an MCP result: text for the model, pictures as pictures, the facts as structured content. */
export function outcomeResult(outcome: Outcome): CallToolResult {
  return {
    isError: outcome.status !== "completed",
    content: [{ type: "text", text: outcome.toText() }, ...outcome.displays.flatMap(pictures)],
    structuredContent: structured(outcome),
  };
}

/** Some clients show structured content in place of the text, so it says all that the text says. */
function structured(outcome: Outcome): JsonObject {
  const value = valueToJson(outcome.value);
  const tooLong = JSON.stringify(value).length > maxValueChars;
  return {
    status: outcome.status,
    cell: outcome.cell,
    language: outcome.language,
    generation: outcome.generation,
    ...(outcome.value === undefined || tooLong ? {} : { value }),
    ...present("repr", outcome.reference === undefined ? outcome.repr : undefined),
    ...present("reference", outcome.reference && (JSON.parse(JSON.stringify(outcome.reference)) as JsonObject)),
    ...present("stdout", outcome.stdout || undefined),
    ...present("stderr", outcome.stderr || undefined),
    ...present("traceback", outcome.traceback),
    ...present("error", outcome.error && (JSON.parse(JSON.stringify(outcome.error)) as JsonObject)),
    toolCalls: outcome.toolCalls.map(({ tool, status }) => ({ tool, status })),
    images: outcome.displays.flatMap(pictures).length,
    ...present("truncated", outcome.truncated.length > 0 ? outcome.truncated.map(({ what }) => what) : undefined),
    ...present("notices", outcome.notices.length > 0 ? outcome.notices : undefined),
    variables: outcome.state.variables,
    ...present("note", outcome.state.note),
    durationMs: Math.round(outcome.durations.totalMs),
  };
}

function present(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function pictures(display: Display): ContentBlock[] {
  const mimeType = pictureTypes.find((type) => display.data[type] !== undefined);
  if (mimeType === undefined) return [];
  const data = display.data[mimeType];
  // Kernels may hand pictures over as bytes, or as the base64 text that notebooks use.
  return [{ type: "image", mimeType, data: typeof data === "string" ? data.trim() : toBase64(data as Uint8Array) }];
}

import { jsonSchema, type ToolSet, tool } from "ai";
import { createCodeModeTools, type Session } from "artificer";

/** A session's tools for the Vercel AI SDK. */
export function aiSdkTools(session: Session): ToolSet {
  return Object.fromEntries(
    createCodeModeTools(session).map(({ name, description, inputSchema, call }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Record<string, unknown>>(inputSchema),
        execute: async (args, { abortSignal }) =>
          (await call(args, abortSignal === undefined ? {} : { signal: abortSignal })).content,
      }),
    ]),
  );
}

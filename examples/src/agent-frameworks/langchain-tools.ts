import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import { createCodeModeTools, type Session } from "artificer";

/** A session's tools for LangChain.js. */
export function langchainTools(session: Session): DynamicStructuredTool[] {
  return createCodeModeTools(session).map(({ name, description, inputSchema, call }) =>
    tool(
      async (args: unknown, { signal }: { signal?: AbortSignal }) =>
        (await call(args, signal ? { signal } : {})).content,
      {
        name,
        description,
        schema: inputSchema,
      },
    ),
  ) as unknown as DynamicStructuredTool[];
}

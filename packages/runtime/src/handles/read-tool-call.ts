import { z } from "zod";
import { parseParams } from "./parse-params.js";

/** The parameters of `tools.call`, as a kernel sends them. */
export const toolCallParams = z.object({
  toolkit: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** The line of the cell that calls, where the kernel knows it. */
  line: z.int().positive().optional(),
});

export type ToolCallParams = z.infer<typeof toolCallParams>;

/**
 * Reads the parameters of `tools.call`. The schema is what decides: those of the usual shape are recognized by a look at their
 * members, which gives what the schema would give; all else, and so every wrong one, goes through the schema.
 *
 * @throws ArtificerError `usage/invalid-argument` naming the field
 */
export function readToolCall(params: unknown): ToolCallParams {
  return usualCall(params) ?? parseParams(toolCallParams, params, "tools.call");
}

function usualCall(params: unknown): ToolCallParams | undefined {
  if (!isPlain(params)) return undefined;
  const { toolkit, tool, args, line } = params;
  if (typeof toolkit !== "string" || typeof tool !== "string" || !isPlain(args)) return undefined;
  if (line === undefined) return { toolkit, tool, args };
  return Number.isSafeInteger(line) && (line as number) > 0 ? { toolkit, tool, args, line: line as number } : undefined;
}

/** An object of no class whose members are its own. A member called `__proto__` is for the schema to deal with. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !Object.hasOwn(value, "__proto__")
  );
}

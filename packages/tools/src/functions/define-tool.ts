import type { EffectClass, JsonSchema, ToolCallContext, ToolNeed } from "@artificer/protocol";
import type { z } from "zod";

/** A Zod schema whose input is an object: the arguments by name. */
export type ArgumentsSchema = z.ZodType<unknown, Record<string, unknown>>;

/** What `run` receives: the parsed output of a Zod schema, or the arguments as they came for a JSON Schema. */
export type ArgumentsOf<Input> = Input extends z.ZodType ? z.output<Input> : Record<string, unknown>;

/** One host function as its author writes it. */
export interface FunctionToolOptions<Input extends ArgumentsSchema | JsonSchema> {
  /** The key in the toolkit's `tools` unless given. */
  name?: string;
  /** What it does, for the model. */
  description: string;
  /** A Zod object, or a JSON Schema of type object. */
  input: Input;
  /** What it returns: for signatures; a Zod schema is enforced as well. */
  output?: z.ZodType | JsonSchema;
  /** What it does to the world; `write` unless given. */
  effect?: EffectClass;
  /** Bound on one call, in milliseconds; the toolset's own applies when absent. */
  timeoutMs?: number;
  tags?: string[];
  /** No call goes ahead without a person: who confirms it, fills in `inputFields`, or carries it out elsewhere and gives its result. */
  needs?: ToolNeed;
  /** With `needs: "input"`: the arguments that the person fills in. They have to be optional in `input`. */
  inputFields?: string[];
  /** The same arguments give the same result for a while, so that a policy may keep it. */
  cacheable?: boolean;
  /** The function itself. Whatever it throws is told to the cell by its message. `context.signal` fires when the call is over. */
  run(args: ArgumentsOf<Input>, context: ToolCallContext): unknown;
}

/** A tool ready for `createToolkit`. Its argument type is known to `run` alone. */
export interface FunctionTool {
  readonly options: Omit<FunctionToolOptions<ArgumentsSchema | JsonSchema>, "run"> & {
    run(args: never, context: ToolCallContext): unknown;
  };
}

/**
 * Describes one host function, with the types of its arguments inferred from the schema.
 *
 * ```ts
 * const add = defineTool({
 *   description: "Adds two numbers.",
 *   input: z.object({ a: z.number(), b: z.number().default(0) }),
 *   run: ({ a, b }) => a + b,
 * });
 * ```
 */
export function defineTool<Input extends ArgumentsSchema | JsonSchema>(
  options: FunctionToolOptions<Input>,
): FunctionTool {
  return { options };
}

import {
  ArtificerError,
  type JsonSchema,
  type ToolCallContext,
  type ToolDefinition,
  type Toolkit,
} from "@artificer/protocol";
import { createToolset, type ToolsetLimits } from "../../src/tools/create-toolset.js";

type Call = Toolkit["call"];

export function tool(name: string, inputSchema: JsonSchema = {}, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return { name, description: "", effect: "read", inputSchema: { type: "object", ...inputSchema }, ...more };
}

export function kit(
  name: string,
  tools: ToolDefinition[],
  call: Call = async (_tool, args) => args,
  more: Partial<Toolkit> = {},
): Toolkit {
  return { name, description: "", tools, call, ...more };
}

export function contextOf(signal: AbortSignal = new AbortController().signal): ToolCallContext {
  return { signal, session: "s", cell: 1 };
}

/** A toolset of one tool `k.t` with this schema, and how to call it. */
export function callable(
  inputSchema: JsonSchema,
  call?: Call,
  options: { definition?: Partial<ToolDefinition>; limits?: ToolsetLimits } = {},
) {
  const toolset = createToolset({
    toolkits: [kit("k", [tool("t", inputSchema, options.definition)], call)],
    limits: options.limits,
  });
  return (args: Record<string, unknown>, context: Parameters<typeof toolset.call>[1] = contextOf()) =>
    toolset.call({ toolkit: "k", tool: "t", args }, context);
}

/** The error that a call ends with. */
export async function refusalOf(promise: Promise<unknown>): Promise<ArtificerError> {
  const thrown = await promise.then(
    (value) => new Error(`expected an error, got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!ArtificerError.is(thrown)) throw thrown;
  return thrown;
}

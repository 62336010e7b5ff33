import {
  ArtificerError,
  collectPieces,
  isPieces,
  type JsonSchema,
  nearestNames,
  type ToolCallContext,
  type ToolDefinition,
  type Toolkit,
} from "@artificer/protocol";
import type { z } from "zod";
import type { ArgumentsSchema, FunctionTool } from "./define-tool.js";
import { isZod, parseArguments, safeParse, zodToJsonSchema } from "./zod-arguments.js";

export interface FunctionToolkitOptions {
  name: string;
  description: string;
  /** The tools by name; a tool's own `name` wins over its key. */
  tools: Record<string, FunctionTool>;
  /** Runs when the session closes. */
  close?(): Promise<void>;
}

type Run = (args: Record<string, unknown>, context: ToolCallContext) => Promise<unknown>;

/**
 * Groups host functions into a toolkit.
 *
 * @throws ArtificerError `tool/definition-invalid` when a tool's input is not of type object, `tool/duplicate` when two share a name.
 */
export function createToolkit(options: FunctionToolkitOptions): Toolkit {
  const definitions: ToolDefinition[] = [];
  const runs = new Map<string, Run>();
  for (const [key, { options: tool }] of Object.entries(options.tools)) {
    const name = tool.name ?? key;
    const path = `${options.name}.${name}`;
    if (runs.has(name)) {
      throw new ArtificerError("tool/duplicate", `Two tools are called ${JSON.stringify(path)}.`, {
        details: { name: path },
      });
    }
    definitions.push({
      name,
      description: tool.description,
      inputSchema: inputSchema(tool.input, path),
      ...(tool.output === undefined
        ? {}
        : { outputSchema: isZod(tool.output) ? zodToJsonSchema(tool.output, "output") : tool.output }),
      effect: tool.effect ?? "write",
      ...(tool.timeoutMs === undefined ? {} : { timeoutMs: tool.timeoutMs }),
      ...(tool.tags === undefined ? {} : { tags: tool.tags }),
      ...personNeeds(tool, path),
      ...(tool.cacheable === undefined ? {} : { cacheable: tool.cacheable }),
    });
    runs.set(name, createRun(tool, path));
  }
  return {
    name: options.name,
    description: options.description,
    tools: definitions,
    async call(name, args, context) {
      const run = runs.get(name);
      if (run !== undefined) return run(args, context);
      const allowed = [...runs.keys()];
      throw new ArtificerError(
        "tool/unknown-tool",
        `The toolkit ${options.name} has no tool ${JSON.stringify(name)}.`,
        {
          details: { toolkit: options.name, tool: name, nearest: nearestNames(name, allowed), allowed },
        },
      );
    },
    ...(options.close === undefined ? {} : { close: options.close }),
  };
}

function inputSchema(input: z.ZodType | JsonSchema, path: string): JsonSchema {
  const schema = isZod(input) ? zodToJsonSchema(input, "input") : input;
  if (schema.type === "object" || isCombined(schema)) return schema;
  throw new ArtificerError(
    "tool/definition-invalid",
    `The input of ${path} has to be of type object, but is ${String(schema.type)}.`,
    {
      details: { tool: path, field: "input" },
      hint: "Write it as z.object({ … }) or as a JSON Schema with type: object.",
    },
  );
}

/** @throws ArtificerError `tool/definition-invalid` when cells could not leave out what a person is to fill in */
function personNeeds({ needs, inputFields, input }: FunctionTool["options"], path: string): Partial<ToolDefinition> {
  if (needs !== "input") return needs === undefined ? {} : { needs };
  const required = inputSchema(input, path).required;
  const asked = (inputFields ?? []).filter((name) => Array.isArray(required) && required.includes(name));
  if (inputFields !== undefined && inputFields.length > 0 && asked.length === 0) return { needs, inputFields };
  const problem = asked.length > 0 ? `${asked.join(", ")} can't be required` : "inputFields has to name some arguments";
  throw new ArtificerError("tool/definition-invalid", `${path} needs a person's input: ${problem}.`, {
    details: { tool: path, field: "inputFields" },
    hint: "Make what a person fills in optional in the input, and name it in inputFields.",
  });
}

/** A union of objects has no type of its own. */
function isCombined(schema: JsonSchema): boolean {
  return (
    schema.type === undefined && ["anyOf", "oneOf", "allOf", "$ref"].some((keyword) => Object.hasOwn(schema, keyword))
  );
}

function createRun(tool: FunctionTool["options"], path: string): Run {
  const { input, output } = tool;
  const invoke = tool.run as (args: unknown, context: ToolCallContext) => unknown;
  const parsed = isZod(input) ? (input as ArgumentsSchema) : undefined;
  const checked = output !== undefined && isZod(output) ? output : undefined;
  return async (args, context) => {
    const ready = parsed === undefined ? args : await parseArguments(parsed, args, path);
    const result = await invoke(ready, context);
    // What is checked has to be there as a whole; everything else is collected where the call is bounded.
    const whole = isPieces(result) && checked !== undefined;
    if (whole) return checkedResult(checked, await collectPieces(result, { signal: context.signal, tool: path }), path);
    return checked === undefined ? result : checkedResult(checked, result, path);
  };
}

/** The signature promises what the output schema says, so that a result that doesn't fit is the tool's failure. */
async function checkedResult(schema: z.ZodType, result: unknown, path: string): Promise<unknown> {
  const outcome = await safeParse(schema, result);
  if (outcome.success) return outcome.data;
  const [issue] = outcome.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? "the result" : issue.path.map(String).join(".");
  throw new ArtificerError(
    "tool/failed",
    `${path} returned what its output schema doesn't allow: ${field}: ${issue?.message ?? "invalid"}.`,
    {
      details: { tool: path, field },
      hint: "Mend the tool or its output schema.",
    },
  );
}

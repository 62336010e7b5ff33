import { ArtificerError, type JsonSchema } from "@artificer/protocol";
import { z } from "zod";
import type { ArgumentsSchema } from "./define-tool.js";

/** True for a Zod schema, also one made by another copy of Zod 4. */
export function isZod(schema: object): schema is z.ZodType {
  return "_zod" in schema && "safeParse" in schema;
}

/** The JSON Schema of what a Zod schema accepts (`input`) or gives (`output`); what JSON Schema can't say becomes any value. */
export function zodToJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { "~standard": _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
  return json;
}

/**
 * Parses arguments: defaults and transforms apply. Synchronous unless the schema has asynchronous checks.
 *
 * @throws ArtificerError `tool/invalid-argument` naming the field.
 */
export async function parseArguments(schema: ArgumentsSchema, args: unknown, tool: string): Promise<unknown> {
  const result = await safeParse(schema, args);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue === undefined ? "" : pathText(issue.path);
  const others = result.error.issues.slice(1).map((other) => `${pathText(other.path)}: ${other.message}`);
  const field = path === "" ? "the arguments don't fit" : `the argument ${JSON.stringify(path)} doesn't fit`;
  const more = others.length === 0 ? "" : ` Also ${others.slice(0, 5).join("; ")}.`;
  const message = `${tool}: ${field}: ${issue?.message ?? "it is invalid"}.${more}`;
  throw new ArtificerError("tool/invalid-argument", message, {
    details: {
      tool,
      argument: issue === undefined ? "" : String(issue.path[0] ?? ""),
      path,
      problems: result.error.issues.slice(0, 20).map((each) => ({ path: pathText(each.path), message: each.message })),
      ...(issue?.code === "invalid_value" ? { allowed: issue.values.map((value) => String(value)) } : {}),
    },
  });
}

/** Parses without throwing, falling back to the asynchronous way only for schemas that need it. */
export async function safeParse(schema: z.ZodType, value: unknown): Promise<z.ZodSafeParseResult<unknown>> {
  if (asynchronous.has(schema)) return schema.safeParseAsync(value);
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (!(error instanceof z.core.$ZodAsyncError)) throw error;
    asynchronous.add(schema);
    return schema.safeParseAsync(value);
  }
}

const asynchronous = new WeakSet<z.ZodType>();

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? String(step) : `.${String(step)}`))
    .join("");
}

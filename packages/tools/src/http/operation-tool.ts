import type { EffectClass, JsonSchema, ToolDefinition } from "@artificer/protocol";
import type { HttpDefinition } from "./http-definition.js";
import type { HttpOperation } from "./http-operation.js";

/** What a method does to the world, by HTTP's own meaning of it. */
const effects: Record<string, EffectClass> = {
  GET: "read",
  HEAD: "read",
  OPTIONS: "read",
  DELETE: "destructive",
};

/** An operation as the host lists it. */
export function operationTool(operation: HttpOperation, definition: HttpDefinition): ToolDefinition {
  const { name, method, path, description, tags } = operation;
  const about = description === "" ? `${method} ${path}` : description;
  let result: { schema: JsonSchema | undefined } | undefined;
  return {
    name,
    description: about,
    inputSchema: operation.complete(argumentsSchema(operation)),
    get outputSchema() {
      result ??= { schema: definition.returns === "body" ? operation.resultSchema() : undefined };
      return result.schema;
    },
    effect: (Object.hasOwn(definition.effects, name) ? definition.effects[name] : effects[method]) ?? "write",
    timeoutMs: operation.timeoutMs ?? definition.timeoutMs,
    ...(tags.length === 0 ? {} : { tags }),
  };
}

/** The schema of an operation's arguments, without the definitions that its references need. */
export function argumentsSchema({ parameters, body }: HttpOperation): JsonSchema {
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  for (const { argument, schema, required: needed } of [...parameters, ...(body === undefined ? [] : [body])]) {
    properties.push([argument, schema]);
    if (needed) required.push(argument);
  }
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

import type { EffectClass, JsonSchema, ToolDefinition } from "@artificer/protocol";
import { passesFilter } from "../remote/name-filter.js";
import { type Companion, companionTools } from "./companion-tools.js";
import type { McpDefinition } from "./mcp-definition.js";
import type { DescribedTool, ServerDescription } from "./server-description.js";

/** A server's tools, with those that reach its resources and prompts. */
export interface ToolTable {
  definitions: ToolDefinition[];
  companions: ReadonlyMap<string, Companion>;
}

/** The tools of a server as the host lists them, by the server's own names. */
export function toolTable(description: ServerDescription, definition: McpDefinition): ToolTable {
  const tools = description.tools.filter(({ name }) => passesFilter(name, definition.tools));
  const definitions = tools.map((tool) => toolDefinition(tool, definition));
  const companions = companionTools(
    description,
    tools.map(({ name }) => name),
  ).filter(({ name, kind }) => passesFilter(name, definition.tools) && passesFilter(kind, definition.tools));
  for (const { name, description: text, inputSchema } of companions) {
    definitions.push({
      ...common(definition),
      name,
      description: text,
      inputSchema,
      effect: ownEffect(definition, name) ?? "read",
    });
  }
  return { definitions, companions: new Map(companions.map((companion) => [companion.name, companion])) };
}

function toolDefinition(tool: DescribedTool, definition: McpDefinition): ToolDefinition {
  const title = tool.title ?? tool.annotations?.title;
  return {
    ...common(definition),
    name: tool.name,
    description: tool.description ?? title ?? "",
    inputSchema: objectSchema(tool.inputSchema),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    effect: ownEffect(definition, tool.name) ?? hintedEffect(tool, definition.effect),
  };
}

/** A server may call a tool `constructor`; that must find nothing here. */
function ownEffect({ effects }: McpDefinition, name: string): EffectClass | undefined {
  return Object.hasOwn(effects, name) ? effects[name] : undefined;
}

function common({ timeoutMs, tags }: McpDefinition): Partial<ToolDefinition> {
  return { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(tags === undefined ? {} : { tags }) };
}

function objectSchema(schema: JsonSchema): JsonSchema {
  return schema.type === "object" ? schema : { ...schema, type: "object" };
}

/**
 * The effect class that a tool's hints claim. Silence is not innocence: a tool that hints nothing has the definition's class.
 * Reading that reaches into the open world sends its arguments there, which is egress.
 */
function hintedEffect({ annotations }: DescribedTool, unhinted: EffectClass): EffectClass {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations ?? {};
  if (readOnlyHint === true) return openWorldHint === true ? "egress" : "read";
  if (destructiveHint === true) return "destructive";
  if (destructiveHint === false) return openWorldHint === true ? "egress" : "write";
  return unhinted;
}

import type { Bindings, Language, ToolDefinition, Toolkit } from "@artificer/protocol";
import type { ToolGate } from "../policy/tool-gate.js";
import type { ToolEntry } from "./tool-entry.js";

type Tables = Readonly<Record<Language, Bindings>>;

/** A toolkit's name and tools, with the effect classes that policy gives them. */
export function classified(
  { name, tools }: Toolkit,
  at: number,
  tables: Tables,
  gate: ToolGate,
): { name: string; tools: readonly ToolDefinition[] } {
  return {
    name,
    tools: tools.map((tool, index) => {
      const effect = gate.effectOf({ path: `${name}.${tool.name}`, aliases: toolAliases(tables, at, index) });
      return effect === undefined || effect === tool.effect ? tool : { ...tool, effect };
    }),
  };
}

/** The names that cells use for a tool. */
export function toolAliases(tables: Tables, at: number, index: number): ToolEntry["aliases"] {
  const dotted = new Set<string>();
  const flat = new Set<string>();
  for (const { toolkits } of Object.values(tables)) {
    const { identifier, tools } = toolkits[at]!;
    dotted.add(`${identifier}.${tools[index]!.identifier}`);
    flat.add(tools[index]!.flat);
  }
  return { dotted: [...dotted], all: [...dotted, ...flat] };
}

/** The table with what each tool does to the world. */
export function withEffects(bindings: Bindings, toolkits: readonly { tools: readonly ToolDefinition[] }[]): Bindings {
  return {
    toolkits: bindings.toolkits.map((toolkit, at) => ({
      ...toolkit,
      tools: toolkit.tools.map((tool, index) => {
        const { effect, needs } = toolkits[at]!.tools[index]!;
        return { ...tool, effect, ...(needs === undefined ? {} : { needs }) };
      }),
    })),
  };
}

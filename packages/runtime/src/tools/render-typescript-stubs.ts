import type { Bindings, ToolBinding, ToolkitBinding } from "@artificer/protocol";
import { effectLine } from "./effect-line.js";
import { typescriptSharingStubs } from "./sharing-stubs.js";
import { typescriptArguments } from "./tool-signature.js";

/** The handles of a session as a `.d.ts` file: `tools`, the toolkits at the top level, what cells share, and the module `artificer:tools`. */
export function renderTypescriptStubs(bindings: Bindings): string {
  const lines: string[] = [];
  for (const toolkit of bindings.toolkits) lines.push(...toolkitInterface(toolkit), "");
  lines.push("declare const tools: {");
  for (const toolkit of bindings.toolkits) lines.push(`  ${toolkit.identifier}: ${interfaceName(toolkit)};`);
  lines.push("  list(): Promise<Array<Record<string, unknown>>>;");
  lines.push("  search(query: string, limit?: number): Promise<Array<Record<string, unknown>>>;");
  lines.push("  catalog(budget?: number): Promise<string>;");
  lines.push("};");
  for (const toolkit of bindings.toolkits) {
    if (toolkit.global !== undefined) lines.push(`declare const ${toolkit.global}: ${interfaceName(toolkit)};`);
  }
  lines.push("", ...typescriptSharingStubs);
  lines.push("", 'declare module "artificer:tools" {');
  for (const toolkit of bindings.toolkits) {
    for (const tool of toolkit.tools) lines.push(`  export function ${tool.flat}${call(tool)};`);
  }
  lines.push("}");
  return `${lines.join("\n")}\n`;
}

function interfaceName(toolkit: ToolkitBinding): string {
  return `Toolkit_${toolkit.identifier}`;
}

function toolkitInterface(toolkit: ToolkitBinding): string[] {
  const lines = [...comment(toolkit.description, ""), `interface ${interfaceName(toolkit)} {`];
  const direct = toolkit.tools.find(({ identifier }) => identifier === toolkit.direct);
  if (direct !== undefined) lines.push(`  ${call(direct)};`);
  for (const tool of toolkit.tools) {
    lines.push(...comment(documentation(tool), "  "), `  ${tool.identifier}${call(tool)};`);
  }
  lines.push("}");
  return lines;
}

function call(tool: ToolBinding): string {
  return `(${typescriptArguments(tool)}): Promise<${tool.returns}>`;
}

function documentation(tool: ToolBinding): string {
  const described = tool.parameters.filter(({ description }) => description !== "");
  const tags = described.map(
    ({ name, description }) => `@param args.${name} ${description.replace(/\s+/g, " ").trim()}`,
  );
  return [tool.description, effectLine(tool), ...tags].filter(Boolean).join("\n");
}

/** A description is data: nothing in it may end the comment. */
function comment(text: string, margin: string): string[] {
  const safe = text
    .trim()
    .replaceAll("*/", "*\\/")
    .replace(/[^\P{Cc}\n]|[\u2028\u2029]/gu, " ");
  if (safe === "") return [];
  const lines = safe.split("\n").map((line) => line.trimEnd());
  if (lines.length === 1) return [`${margin}/** ${lines[0]} */`];
  return [`${margin}/**`, ...lines.map((line) => `${margin} * ${line}`.trimEnd()), `${margin} */`];
}

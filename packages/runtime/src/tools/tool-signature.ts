import type { Language, ParameterBinding, ToolBinding, ToolkitBinding } from "@artificer/protocol";
import { pythonLiteral } from "./python-notation.js";
import { memberName } from "./typescript-notation.js";

/** How a tool is called, on one line, e.g. `tools.curl.get(url: str, headers: list[str] | None = None) -> str`. */
export function toolSignature(toolkit: ToolkitBinding, tool: ToolBinding, language: Language): string {
  const callee = `tools.${toolkit.identifier}.${tool.identifier}`;
  if (language === "python") return `${callee}(${pythonParameters(tool).join(", ")}) -> ${tool.returns}`;
  return `${callee}(${typescriptArguments(tool)}): Promise<${tool.returns}>`;
}

/** The parameters of a Python signature; those behind `*` don't exist: every parameter may be given by position. */
export function pythonParameters(tool: ToolBinding): string[] {
  const parameters = tool.parameters.map((parameter) => {
    const head = `${parameter.identifier}: ${parameter.type}`;
    return parameter.required ? head : `${head} = ${pythonDefault(parameter)}`;
  });
  return tool.open ? [...parameters, "**more: Any"] : parameters;
}

function pythonDefault(parameter: ParameterBinding): string {
  return parameter.default === undefined ? "None" : pythonLiteral(parameter.default);
}

/** The one argument of a TypeScript signature: an object of the tool's arguments, left out when it has none. */
export function typescriptArguments(tool: ToolBinding): string {
  const members = tool.parameters.map(
    ({ name, type, required }) => `${memberName(name)}${required ? "" : "?"}: ${type}`,
  );
  const shape = members.length === 0 ? "" : `{ ${members.join("; ")} }`;
  const type = tool.open ? [shape, "Record<string, unknown>"].filter(Boolean).join(" & ") : shape;
  if (type === "") return "";
  return `args${tool.parameters.some(({ required }) => required) ? "" : "?"}: ${type}`;
}

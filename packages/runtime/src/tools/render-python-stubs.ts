import type { Bindings, ToolBinding, ToolkitBinding } from "@artificer/protocol";
import { effectLine } from "./effect-line.js";
import { pythonSharingStubs } from "./sharing-stubs.js";
import { pythonParameters } from "./tool-signature.js";

const indent = "    ";

/** The handles of a session as a `.pyi` file: `tools`, its blocking forms, the asynchronous forms at the top level, and what cells share. */
export function renderPythonStubs(bindings: Bindings): string {
  const names = classNames(bindings.toolkits);
  const lines = ["from typing import Any, Literal", ""];
  for (const [at, toolkit] of bindings.toolkits.entries()) {
    lines.push(...toolkitClass(toolkit, `_${names[at]}`, false), "");
    if (toolkit.global !== undefined) lines.push(...toolkitClass(toolkit, `_${names[at]}Async`, true), "");
  }
  lines.push("class _Tools:");
  for (const [at, toolkit] of bindings.toolkits.entries()) {
    lines.push(`${indent}${toolkit.identifier}: _${names[at]}`);
  }
  lines.push(`${indent}def list(self) -> list[dict[str, Any]]: ...`);
  lines.push(`${indent}def search(self, query: str, limit: int = 10) -> list[dict[str, Any]]: ...`);
  lines.push(`${indent}def catalog(self, budget: int = 2000) -> str: ...`);
  // `tools["web_tools"]` reaches a toolkit, and `["tool name"]` a tool, by the original name.
  lines.push(`${indent}def __getitem__(self, name: str) -> Any: ...`, "", "tools: _Tools");
  for (const [at, toolkit] of bindings.toolkits.entries()) {
    if (toolkit.global !== undefined) lines.push(`${toolkit.global}: _${names[at]}Async`);
  }
  lines.push("", ...pythonSharingStubs);
  return `${lines.join("\n")}\n`;
}

/** The module `artificer_tools` as a `.pyi` file: every tool under its flat name. */
export function renderPythonModuleStubs(bindings: Bindings): string {
  const lines = ["from typing import Any, Literal", ""];
  for (const toolkit of bindings.toolkits) {
    for (const tool of toolkit.tools) {
      lines.push(`def ${tool.flat}(${pythonParameters(tool).join(", ")}) -> ${tool.returns}:`);
      lines.push(...body(tool, indent), "");
    }
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function toolkitClass(toolkit: ToolkitBinding, name: string, asynchronous: boolean): string[] {
  const lines = [`class ${name}:`];
  if (!asynchronous && toolkit.description !== "") lines.push(...docstring(toolkit.description, indent));
  for (const tool of toolkit.tools) lines.push(...method(tool, tool.identifier, asynchronous));
  const direct = toolkit.tools.find(({ identifier }) => identifier === toolkit.direct);
  if (direct !== undefined)
    lines.push(
      ...method(
        { ...direct, description: "", parameters: direct.parameters.map((p) => ({ ...p, description: "" })) },
        "__call__",
        asynchronous,
      ),
    );
  lines.push(`${indent}def __getitem__(self, name: str) -> Any: ...`);
  return lines;
}

function method(tool: ToolBinding, name: string, asynchronous: boolean): string[] {
  // An argument may itself be called self.
  const self = tool.parameters.some(({ identifier }) => identifier === "self") ? "_self" : "self";
  const head = `${asynchronous ? "async def" : "def"} ${name}(${[self, ...pythonParameters(tool)].join(", ")}) -> ${tool.returns}:`;
  const doc = asynchronous ? ["..."] : body(tool, indent.repeat(2));
  return doc.length === 1 ? [`${indent}${head} ...`] : [`${indent}${head}`, ...doc];
}

function body(tool: ToolBinding, margin: string): string[] {
  const described = tool.parameters.filter(({ description }) => description !== "");
  const text = [
    tool.description,
    effectLine(tool),
    ...described.map(({ identifier, description }) => `${identifier}: ${description.replace(/\s+/g, " ").trim()}`),
  ]
    .filter(Boolean)
    .join("\n");
  return text === "" ? [`${margin}...`] : [...docstring(text, margin), `${margin}...`];
}

/** A description is data: nothing in it may end the string or begin an escape. */
function docstring(text: string, margin: string): string[] {
  const safe = text
    .trim()
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    // Other control characters than line ends have no place in a source file.
    .replace(/[^\P{Cc}\n]/gu, " ");
  const lines = safe.split("\n").map((line) => line.trimEnd());
  const [first = "", ...rest] = lines;
  if (rest.length === 0) return [`${margin}"""${first}"""`];
  return [`${margin}"""${first}`, ...rest.map((line) => (line === "" ? "" : margin + line)), `${margin}"""`];
}

/** A class name for each toolkit; distinct, since identifiers are. */
function classNames(toolkits: readonly ToolkitBinding[]): string[] {
  return toolkits.map(({ identifier }) => `Toolkit_${identifier}`);
}

import { inspect } from "node:util";
import type { Bindings, ToolBinding, ToolkitBinding } from "@artificer/protocol";
import { currentCell } from "../activity.js";
import { ToolError } from "../guest-error.js";
import type { HostLink } from "../host-link.js";
import { ToolCall } from "./tool-call.js";
import { unknownTool, withNearest } from "./unknown-names.js";

export type ToolFunction = (args?: unknown) => ToolCall;
type ToolkitHandle = Record<string, ToolFunction>;

/** The tools of a session as code sees them. */
export interface ToolHandles {
  /** `tools`, with a member a toolkit, `list`, `search` and `catalog`. */
  tools: Record<string, unknown>;
  /** Toolkits that are bound at the top level under their own name. */
  globals: Map<string, unknown>;
  /** `artificer:tools`: every tool under its flat name. */
  module: Record<string, unknown>;
}

/** Makes handles from the table of bindings: names, signatures and calls come from nowhere else. */
export function createTools(bindings: Bindings, host: HostLink): ToolHandles {
  const tools: Record<string, unknown> = {};
  const globals = new Map<string, unknown>();
  const module: Record<string, unknown> = {};
  for (const toolkit of bindings.toolkits) {
    const handle = createToolkit(toolkit, host, module);
    tools[toolkit.identifier] = handle;
    if (toolkit.global !== undefined) globals.set(toolkit.global, handle);
  }
  const methods = {
    list: function list() {
      return host.request("tools.list", {}, list);
    },
    search: function search(query: string, limit?: number | { limit?: number }) {
      const most = typeof limit === "object" ? limit.limit : limit;
      return host.request("tools.search", { query, ...(most === undefined ? {} : { limit: most }) }, search);
    },
    catalog: function catalog(budget?: number) {
      return host.request("tools.catalog", budget === undefined ? {} : { budget }, catalog);
    },
  };
  for (const [name, method] of Object.entries(methods)) alias(tools, name, method);
  // By original names too: `tools["web_tools"]`, `tools["web_tools.fetch-page"]`; after the members that listings show.
  for (const toolkit of bindings.toolkits) alias(tools, toolkit.name, tools[toolkit.identifier]);
  for (const toolkit of bindings.toolkits) {
    const handle = tools[toolkit.identifier] as ToolkitHandle;
    for (const tool of toolkit.tools) alias(tools, `${toolkit.name}.${tool.name}`, handle[tool.identifier]);
  }
  const names = Object.keys(tools);
  const fail = (name: string, near: string[]) => unknownTool("tool/unknown-toolkit", "toolkit", name, near, names);
  const missing = (name: string, near: string[]) =>
    unknownTool("tool/unknown-tool", "tool in artificer:tools", name, near, Object.keys(module));
  return { tools: withNearest(tools, fail), globals, module: withNearest(module, missing) };
}

function createToolkit(toolkit: ToolkitBinding, host: HostLink, module: Record<string, unknown>): ToolkitHandle {
  const handle: ToolkitHandle = {};
  for (const tool of toolkit.tools) {
    const call = createTool(toolkit, tool, host);
    handle[tool.identifier] = call;
    module[tool.flat] = call;
  }
  for (const tool of toolkit.tools) alias(handle, tool.name, handle[tool.identifier]);
  const names = Object.keys(handle);
  return withNearest(handle, (name, near) =>
    unknownTool("tool/unknown-tool", `tool in ${toolkit.name}`, name, near, names),
  );
}

/** The original name reaches the same thing, without showing up in listings. */
function alias(object: object, name: string, value: unknown): void {
  if (Object.hasOwn(object, name) || called.has(name)) return;
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
}

/** Members that the language itself calls on any object: such a tool is reached by its identifier alone. */
const called = new Set(["then", "toJSON"]);

function createTool(toolkit: ToolkitBinding, tool: ToolBinding, host: HostLink): ToolFunction {
  const path = `${toolkit.name}.${tool.name}`;
  const renamed = new Map(
    tool.parameters.filter((one) => one.identifier !== one.name).map((one) => [one.identifier, one.name]),
  );
  const call = (args?: unknown): ToolCall => {
    const request = { toolkit: toolkit.name, tool: tool.name, args: argumentsOf(args, path, tool, renamed) };
    const promise = new ToolCall((resolve, reject) => host.send("tools.call", request, call, { resolve, reject }));
    promise.tool = path;
    currentCell()?.calls.push(promise);
    return promise;
  };
  const described = `${signatureOf(toolkit, tool)}${tool.description === "" ? "" : `\n  ${tool.description}`}`;
  Object.defineProperty(call, "name", { value: tool.identifier });
  Object.defineProperty(call, inspect.custom, { value: () => described });
  return call;
}

function argumentsOf(
  args: unknown,
  path: string,
  tool: ToolBinding,
  renamed: Map<string, string>,
): Record<string, unknown> {
  if (args === undefined) return {};
  if (typeof args !== "object" || args === null || Array.isArray(args) || ArrayBuffer.isView(args)) {
    const names = tool.parameters.map((one) => one.name).join(", ");
    throw new ToolError({
      code: "tool/invalid-argument",
      message: `${path} takes one object of arguments.`,
      hint: `Write ${path}({ ${names} }).`,
    });
  }
  if (renamed.size === 0) return args as Record<string, unknown>;
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [renamed.get(key) ?? key, value]));
}

function signatureOf(toolkit: ToolkitBinding, tool: ToolBinding): string {
  const members = tool.parameters.map((one) => `${one.name}${one.required ? "" : "?"}: ${one.type}`).join("; ");
  return `tools.${toolkit.identifier}.${tool.identifier}(${members === "" ? "" : `{ ${members} }`}): Promise<${tool.returns}>`;
}

import type { ToolDefinition, Toolkit } from "@artificer/protocol";
import { renderPythonModuleStubs, renderPythonStubs, renderTypescriptStubs } from "@artificer/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Session } from "../../src/index.js";

const toolNames = [
  ..."get|get page|get-page|get_page|import|then|toJSON|__proto__|constructor|b.c|c|artificer_help|__init__|_missing".split(
    "|",
  ),
  ..."self|await|name|length|list|run|call|apply|🙂| |two\nlines|ｇｅｔ|print|日本語|2nd|default|arguments|eval".split(
    "|",
  ),
];
const toolkitNames = [
  ..."web_tools|web-tools|ｗｅｂ|list|search|catalog|class|a|a.b|then|__proto__|constructor|2nd|日本|print".split("|"),
  ..."tools|skills|artificer_help|_artificer|toString|x y|console|self|n__proto__|await|get".split("|"),
];

/** In TypeScript, whose index is the member of that name: such a toolkit is reached by its identifier and by whole paths. */
const members = ["list", "search", "catalog", "then"];

/** Each tool answers with who it is. */
function hostile(name: string): Toolkit {
  const tools = toolNames.map(
    (tool): ToolDefinition => ({
      name: tool,
      description: `Answers """ as */ ${tool}`,
      inputSchema: {
        type: "object",
        properties: { "in-put value": { type: "string" }, class: { type: "integer", default: 1 } },
        required: ["in-put value"],
      },
      effect: "read",
    }),
  );
  return { name, description: "", tools, call: async (tool, args) => [name, tool, args["in-put value"]] };
}

const all = toolkitNames.flatMap((toolkit) => toolNames.map((tool) => JSON.stringify([toolkit, tool])));
const who = (value: unknown) => (value as string[][]).map(([toolkit, tool]) => JSON.stringify([toolkit, tool]));

describe("every path that a listing shows can be called as shown, whatever the names", { timeout: 120_000 }, () => {
  let session: Session;
  beforeAll(() => {
    session = new Session({
      embedder: null,
      tools: toolkitNames.map(hostile),
      limits: { maxToolCalls: 100_000, maxValueBytes: 64_000_000 },
    });
  });
  afterAll(() => session.close());

  async function resultOf(code: string, language: "python" | "typescript"): Promise<unknown> {
    const outcome = await session.run(code, { language, timeoutMs: 100_000 });
    if (outcome.status !== "completed") throw new Error(`${outcome.error?.message}\n${outcome.traceback ?? ""}`);
    return outcome.value;
  }

  it("in Python, from list, search, catalogue and help, by path and by original names [P3]", async () => {
    const listed = await resultOf(
      `import re, io, contextlib
told = {"list": [], "path": [], "index": [], "search": [], "catalog": [], "help": []}
def as_shown(signature):
    shown = re.match(r"(tools\\.[^(]*)\\((\\w+): str", signature)
    return eval(shown[1])(**{shown[2]: "x"})
for tool in tools.list():
    told["list"].append(as_shown(tool["signature"]))
    told["path"].append(tools[tool["path"]]("x"))
for tool in tools.search("answers", limit=1000):
    told["search"].append(as_shown(tool["signature"]))
catalog = tools.catalog(1_000_000)
assert catalog.startswith("COMPLETE: all ${all.length} tools"), catalog[:200]
for line in catalog.split("\\n")[1:]:
    told["catalog"].append(as_shown(line[2:]))
for toolkit in tools:
    for tool in toolkit:
        page = io.StringIO()
        with contextlib.redirect_stdout(page):
            help(tool)
        told["help"].append(as_shown(page.getvalue().strip()))
names = ${JSON.stringify(toolkitNames)}, ${JSON.stringify(toolNames)}
for toolkit in names[0]:
    for tool in names[1]:
        told["index"].append(tools[toolkit][tool]("x"))
told`,
      "python",
    );
    const told = listed as Record<string, unknown>;
    for (const listing of ["list", "index", "catalog", "help"]) expect(who(told[listing]), listing).toEqual(all);
    expect(who(told.search).sort()).toEqual([...all].sort());
    // `a.b.c` is told for `b.c` of `a` and for `c` of `a.b`: a path of two meanings reaches one of them, any other its tool.
    const ambiguous = JSON.stringify(["a.b", "c"]);
    expect(who(told.path).filter((tool, at) => tool !== all[at])).toHaveLength(1);
    expect(all[who(told.path).findIndex((tool, at) => tool !== all[at])]).toBe(ambiguous);
  });

  it("in Python, from the stubs: blocking, asynchronous, and by import [P3]", async () => {
    const bindings = session.toolset.bindings("python");
    const told = (await resultOf(
      `import ast, importlib
told = {"blocking": [], "asynchronous": [], "module": []}
stubs, module = ${JSON.stringify(renderPythonStubs(bindings))}, ${JSON.stringify(renderPythonModuleStubs(bindings))}
tree = ast.parse(stubs)
classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
methods = lambda name: [n for n in classes[name].body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name != "__getitem__"]
def named(method):
    return {method.args.args[1].arg: "x"}
for member in classes["_Tools"].body:
    if isinstance(member, ast.AnnAssign):
        for method in methods(member.annotation.id):
            told["blocking"].append(getattr(getattr(tools, member.target.id), method.name)(**named(method)))
for member in tree.body:
    if isinstance(member, ast.AnnAssign) and member.target.id not in ("tools", "shared"):
        for method in methods(member.annotation.id):
            told["asynchronous"].append(await getattr(globals()[member.target.id], method.name)(**named(method)))
for function in ast.parse(module).body:
    if isinstance(function, ast.FunctionDef):
        space = {}
        exec(f"from artificer_tools import {function.name}", space)
        told["module"].append(space[function.name](**{function.args.args[0].arg: "x"}))
told`,
      "python",
    )) as Record<string, unknown>;
    expect(who(told.blocking)).toEqual(all);
    expect(who(told.module)).toEqual(all);
    const global = bindings.toolkits.filter((toolkit) => toolkit.global !== undefined).map(({ name }) => name);
    expect(global.length).toBeGreaterThan(10);
    expect(who(told.asynchronous)).toEqual(all.filter((tool) => global.includes(JSON.parse(tool)[0])));
  });

  it("in TypeScript, from list, search and catalogue, by path and by original names [P3]", async () => {
    const told = (await resultOf(
      `const told: Record<string, unknown[]> = { list: [], path: [], index: [], search: [], catalog: [] };
const asShown = (signature: string) => {
  const [, callee, member] = /^(tools\\.[^(]*)\\(args: \\{ ("[^"]*"): string/.exec(signature)!;
  return (0, eval)(callee)({ [JSON.parse(member)]: "x" });
};
for (const tool of await tools.list() as any[]) {
  told.list.push(await asShown(tool.signature));
  told.path.push(await (tools as any)[tool.path]({ "in-put value": "x" }));
}
for (const tool of await tools.search("answers", 1000) as any[]) told.search.push(await asShown(tool.signature));
const [first, ...lines] = (await tools.catalog(1_000_000)).split("\\n");
if (!first.startsWith("COMPLETE: all ${all.length} tools")) throw new Error(first);
for (const line of lines) told.catalog.push(await asShown(line.slice(2)));
const names = ${JSON.stringify([toolkitNames, toolNames])};
for (const toolkit of names[0]) for (const tool of names[1]) {
  if (!${JSON.stringify(members)}.includes(toolkit) && !["then", "toJSON"].includes(tool)) told.index.push(await (tools as any)[toolkit][tool]({ "in-put value": "x" }));
}
// A handle is no promise, whatever its tools are called.
await tools.a;
JSON.stringify(tools.a);
told`,
      "typescript",
    )) as Record<string, unknown>;
    for (const listing of ["list", "catalog"]) expect(who(told[listing]), listing).toEqual(all);
    expect(who(told.search).sort()).toEqual([...all].sort());
    expect(who(told.path).filter((tool, at) => tool !== all[at])).toHaveLength(1);
    expect(who(told.index)).toEqual(
      all.filter((each) => {
        const [toolkit, tool] = JSON.parse(each) as [string, string];
        return !members.includes(toolkit) && !["then", "toJSON"].includes(tool);
      }),
    );
  });

  it("in TypeScript, from the stubs: under tools, at the top level, and by import [P3]", async () => {
    const bindings = session.toolset.bindings("typescript");
    const stubs = renderTypescriptStubs(bindings);
    const interfaces = new Map(
      Array.from(stubs.matchAll(/^interface (\S+) \{\n([\s\S]*?)^\}/gmu), ([, name, body]) => [
        name,
        Array.from(body!.matchAll(/^ {2}([^\s*/(]+)\(args: \{ ("[^"]*")/gmu), ([, member]) => member!),
      ]),
    );
    const under = Array.from(stubs.matchAll(/^ {2}(\S+): (Toolkit_\S+);/gmu), ([, name, type]) =>
      interfaces.get(type)!.map((member) => `tools.${name}.${member}`),
    ).flat();
    const top = Array.from(stubs.matchAll(/^declare const (\S+): (Toolkit_\S+);/gmu), ([, name, type]) =>
      interfaces.get(type)!.map((member) => `${name}.${member}`),
    ).flat();
    const flat = Array.from(stubs.matchAll(/^ {2}export function ([^\s(]+)\(/gmu), ([, name]) => name!);
    const told = (await resultOf(
      `import { ${flat.join(", ")} } from "artificer:tools";
const told = { under: [] as unknown[], top: [] as unknown[], module: [] as unknown[] };
const args = { "in-put value": "x" };
${under.map((callee) => `told.under.push(await ${callee}(args));`).join("\n")}
${top.map((callee) => `told.top.push(await ${callee}(args));`).join("\n")}
${flat.map((name) => `told.module.push(await ${name}(args));`).join("\n")}
told`,
      "typescript",
    )) as Record<string, unknown>;
    expect(who(told.under)).toEqual(all);
    expect(who(told.module)).toEqual(all);
    const global = bindings.toolkits.filter((toolkit) => toolkit.global !== undefined).map(({ name }) => name);
    expect(who(told.top)).toEqual(all.filter((tool) => global.includes(JSON.parse(tool)[0])));
  });
});

describe("a name that is not there is answered with the nearest and the allowed", () => {
  it.each([
    ["python", "tools.barm.count()", ["barn", "There are: barn"]],
    ["python", "tools.barn.cuont()", ["count", "It has: count, shear"]],
    ["python", "tools.barn.count(hwo='x')", ["how", "how: str"]],
    ["typescript", "await tools.barm.count()", ["barn", "There are: barn"]],
    ["typescript", "await tools.barn.cuont()", ["count", "There are: count, shear"]],
    ["typescript", "await tools.barn.count({ hwo: 'x' })", ["how", "It takes"]],
  ] as const)("in %s: %s [P3]", async (language, code, told) => {
    const tools = ["count", "shear"].map(
      (name): ToolDefinition => ({
        name,
        description: "",
        effect: "read",
        inputSchema: { type: "object", properties: { how: { type: "string" } } },
      }),
    );
    const barn: Toolkit = { name: "barn", description: "", tools, call: async () => null };
    await using session = new Session({ embedder: null, tools: [barn] });
    const { error } = await session.run(code, { language });
    for (const part of told) expect(`${error?.message} ${error?.hint}`).toContain(part);
  });
});

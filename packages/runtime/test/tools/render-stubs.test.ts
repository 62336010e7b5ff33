import { execFileSync } from "node:child_process";
import type { Toolkit } from "@artificer/protocol";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { createBindings } from "../../src/tools/create-bindings.js";
import { renderPythonModuleStubs, renderPythonStubs } from "../../src/tools/render-python-stubs.js";
import { renderTypescriptStubs } from "../../src/tools/render-typescript-stubs.js";
import { kit, tool } from "./fixture.js";

const nasty = 'Ends """ here \\ and */ there\nsecond \\N line\u2028\u0000 """"';

/** Toolkits with everything in them that could break a file made of them. */
const toolkits: Toolkit[] = [
  kit(
    "web_tools",
    [
      tool(
        "search the web",
        {
          properties: {
            query: { type: "string", description: nasty },
            class: { enum: ['a"b', "line\nbreak", "\\", "\u2028"] },
            self: { type: "integer", default: -3 },
            options: {
              type: "object",
              properties: { "x y": { type: "string" }, __proto__: { type: "number" } },
              description: nasty,
            },
            long: { type: "string", default: "x".repeat(1000) },
          },
          required: ["query"],
        },
        { description: nasty, outputSchema: { type: "array", items: { type: "string" } } },
      ),
      tool("then", { additionalProperties: true }),
      tool("import"),
    ],
    undefined,
    { description: nasty, directTool: "then" },
  ),
  kit("open", [tool("then")]),
  kit("empty", []),
];

/** The files of TypeScript's own library, parsed once. */
const libraries = new Map<string, ts.SourceFile | undefined>();

function diagnosticsOf(source: string, files: Record<string, string>): string[] {
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    types: [],
    lib: ["lib.es2022.d.ts"],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const library = (name: string, target: ts.ScriptTarget | ts.CreateSourceFileOptions) => {
    const known = libraries.get(name) ?? read(name, target);
    libraries.set(name, known);
    return known;
  };
  host.getSourceFile = (name, target) =>
    files[name] === undefined ? library(name, target) : ts.createSourceFile(name, files[name], target);
  const program = ts.createProgram([...Object.keys(files)], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file === undefined || file.fileName === source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe("stubs", () => {
  it("are a Python file whatever descriptions and names hold", () => {
    const bindings = createBindings(toolkits, "python");
    for (const stubs of [renderPythonStubs(bindings), renderPythonModuleStubs(bindings)]) {
      // Parsed by Python itself; a docstring may not have swallowed the definitions behind it.
      const program =
        "import ast, sys; print(sorted({n.name for n in ast.walk(ast.parse(sys.stdin.read())) if hasattr(n, 'name') and not isinstance(n, ast.alias)}))";
      const names = execFileSync("python3", ["-W", "error", "-c", program], { input: stubs, encoding: "utf8" });
      expect(names).toContain("search_the_web");
      expect(names).toContain("import_");
    }
    expect(renderPythonStubs(bindings)).toContain("def share(name: str, value: Any) -> None:");
  });

  it("show Python the blocking form, the asynchronous form, and the call of the toolkit itself [P3]", () => {
    const stubs = renderPythonStubs(
      createBindings(
        [
          kit("curl", [tool("get", { properties: { url: { type: "string" } }, required: ["url"] })], undefined, {
            directTool: "get",
          }),
        ],
        "python",
      ),
    );
    expect(stubs).toContain("    def get(self, url: str) -> Any: ...");
    expect(stubs).toContain("    async def get(self, url: str) -> Any: ...");
    expect(stubs).toContain("    def __call__(self, url: str) -> Any: ...");
    expect(stubs).toContain("    curl: _Toolkit_curl\n");
    expect(stubs).toContain("\ncurl: _Toolkit_curlAsync\n");
  });

  it("are a TypeScript file whatever descriptions and names hold, and type the calls", () => {
    const stubs = renderTypescriptStubs(createBindings(toolkits, "typescript"));
    expect(diagnosticsOf("/stubs.d.ts", { "/stubs.d.ts": stubs })).toEqual([]);
    const use = (code: string) => diagnosticsOf("/use.ts", { "/stubs.d.ts": stubs, "/use.ts": `export {};\n${code}` });
    expect(
      use('const found: string[] = await tools.web.search_the_web({ query: "x", self: 1, options: { "x y": "z" } });'),
    ).toEqual([]);
    expect(use("await web.then_({ any: 1 }); await tools.web({ any: 1 });")).toEqual([]);
    expect(use('import { search_the_web } from "artificer:tools";\nawait search_the_web({ query: "x" });')).toEqual([]);
    expect(use("await tools.web.search_the_web({ query: 1 });").join()).toContain("not assignable");
    expect(use("await tools.web.search_the_web({});").join()).toContain("query");
    expect(
      use('await share("n", 1); const n: number = await take<number>("n"); const m = await shared.n; m.any;'),
    ).toEqual([]);
    expect(use('const gone: boolean = await unshare("n"); delete shared.n; Object.keys(shared)[0]?.length;')).toEqual(
      [],
    );
    expect(use("await share(1, 2);").join()).toContain("not assignable");
  });
});

import type { JsonSchema, Language, Toolkit } from "@artificer/protocol";
import { describe, expect, it } from "vitest";
import { createBindings } from "../../src/tools/create-bindings.js";
import { createToolset } from "../../src/tools/create-toolset.js";
import { kit, tool } from "./fixture.js";

const identifiersOf = (names: string[], language: Language = "python") =>
  createBindings(
    names.map((name) => kit(name, [])),
    language,
  ).toolkits.map(({ identifier }) => identifier);
const toolIdentifiers = (names: string[], language: Language = "python") =>
  createBindings(
    [
      kit(
        "k",
        names.map((name) => tool(name)),
      ),
    ],
    language,
  ).toolkits[0]!.tools.map(({ identifier }) => identifier);
const parameterOf = (schema: JsonSchema, language: Language = "python", required = true) => {
  const root = { properties: { p: schema }, required: required ? ["p"] : [] };
  return createBindings([kit("k", [tool("t", root)])], language).toolkits[0]!.tools[0]!.parameters[0]!;
};
const typeOf = (schema: JsonSchema, language: Language = "python") => parameterOf(schema, language).type;

describe("names", () => {
  it("lose _tools, get characters an identifier can't have replaced, and a letter before a digit", () => {
    expect(identifiersOf(["web_tools", "my-kit.v2", "3d print", "tools", "été"])).toEqual([
      "web",
      "my_kit_v2",
      "n_3d_print",
      "tools",
      "été",
    ]);
    expect(toolIdentifiers(["a b", "_private", "__init__", "", "$$", "ﬁle"])).toEqual([
      "a_b",
      "n_private",
      "n__init__",
      "n_",
      "n__",
      "file",
    ]);
  });

  it("that a language reserves get an underscore behind them", () => {
    expect(toolIdentifiers(["class", "import", "list", "print"])).toEqual(["class_", "import_", "list", "print"]);
    expect(toolIdentifiers(["class", "then", "constructor", "list"], "typescript")).toEqual([
      "class_",
      "then_",
      "constructor_",
      "list",
    ]);
    // tools.list() and tools.search() are there already.
    expect(identifiersOf(["list", "search"])).toEqual(["list_", "search_"]);
  });

  it("never collide: one that is good as it stands keeps its own, the others are counted in order", () => {
    expect(toolIdentifiers(["a-b", "a.b", "a_b", "a_b_2"])).toEqual(["a_b_3", "a_b_4", "a_b", "a_b_2"]);
    expect(identifiersOf(["web_tools", "web"])).toEqual(["web_2", "web"]);
    expect(toolIdentifiers(["class", "class_"])).toEqual(["class__2", "class_"]);
  });

  it("can be turned back: every identifier stands beside the name it came from", () => {
    const toolkits = [kit("web_tools", [tool("get page", { properties: { "max-size": {}, class: {}, "2nd": {} } })])];
    const [bound] = createBindings(toolkits, "python").toolkits;
    expect(bound).toMatchObject({
      name: "web_tools",
      identifier: "web",
      tools: [{ name: "get page", identifier: "get_page" }],
    });
    expect(bound?.tools[0]?.parameters.map(({ name, identifier }) => [name, identifier])).toEqual([
      ["max-size", "max_size"],
      ["class", "class_"],
      ["2nd", "n_2nd"],
    ]);
  });

  it("in the flat module are the tool's own, and the toolkit's too where several tools share one", () => {
    const toolkits = [
      kit("curl", [tool("get"), tool("curl_only")]),
      kit("http", [tool("get"), tool("open"), tool("retry")]),
    ];
    const flat = createBindings(toolkits, "python").toolkits.map(({ tools }) => tools.map((each) => each.flat));
    expect(flat).toEqual([
      ["curl_get", "curl_only"],
      ["http_get", "open_", "retry_"],
    ]);
    const tricky = [
      kit("a", [tool("b_c"), tool("x")]),
      kit("a_b", [tool("c"), tool("x")]),
      kit("z", [tool("c"), tool("b_c")]),
    ];
    const names = createBindings(tricky, "python").toolkits.flatMap(({ tools }) => tools.map((each) => each.flat));
    expect(new Set(names).size).toBe(names.length);
  });

  it("stand at the top level unless they would hide a builtin or a handle of ours", () => {
    const globals = (names: string[], language: Language) =>
      createBindings(
        names.map((name) => kit(name, [])),
        language,
      ).toolkits.map((each) => each.global);
    expect(globals(["web_tools", "open", "tools", "skills", "display", "fetch"], "python")).toEqual([
      "web",
      undefined,
      undefined,
      undefined,
      undefined,
      "fetch",
    ]);
    expect(globals(["web_tools", "open", "console", "fetch", "process"], "typescript")).toEqual([
      "web",
      "open",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("say which tool calling the toolkit itself stands for", () => {
    const [direct, none] = createBindings(
      [kit("curl", [tool("run it")], undefined, { directTool: "run it" }), kit("b", [tool("x")])],
      "python",
    ).toolkits;
    expect(direct?.direct).toBe("run_it");
    expect(none).not.toHaveProperty("direct");
  });

  it("are the same whenever the same toolkits are given", () => {
    const toolkits: Toolkit[] = [kit("a-b", [tool("x y"), tool("x-y")]), kit("a_b", [tool("x y")])];
    expect(createBindings(toolkits, "python")).toEqual(createBindings(toolkits, "python"));
  });
});

describe("types", () => {
  it("are written in Python and in TypeScript", () => {
    const rows: [JsonSchema, string, string][] = [
      [{ type: "string" }, "str", "string"],
      [{ type: "integer" }, "int", "number"],
      [{ type: "number" }, "float", "number"],
      [{ type: "boolean" }, "bool", "boolean"],
      [{}, "Any", "unknown"],
      [{ type: "string", format: "binary" }, "bytes", "Uint8Array"],
      [{ type: "array", items: { type: "string" } }, "list[str]", "string[]"],
      [{ type: "array" }, "list[Any]", "unknown[]"],
      [{ enum: ["a", 'b"', 1, true, null] }, 'Literal["a", "b\\"", 1, True, None]', '"a" | "b\\"" | 1 | true | null'],
      [{ const: "x" }, 'Literal["x"]', '"x"'],
      [{ type: ["null", "string"] }, "str | None", "null | string"],
      [{ type: "integer", nullable: true }, "int | None", "number | null"],
      [
        { anyOf: [{ type: "string" }, { type: "array", items: { type: "integer" } }] },
        "str | list[int]",
        "string | number[]",
      ],
      [{ oneOf: [{ type: "string" }, {}] }, "Any", "unknown"],
      [{ allOf: [{ description: "x" }, { type: "string" }] }, "str", "string"],
      [{ type: "object" }, "dict[str, Any]", "Record<string, unknown>"],
      [{ type: "object", additionalProperties: { type: "integer" } }, "dict[str, int]", "Record<string, number>"],
      [
        {
          type: "object",
          properties: { a: { type: "string" }, "b-c": { type: "array", items: { type: ["string", "null"] } } },
          required: ["a"],
        },
        "dict[str, Any]",
        '{ a: string; "b-c"?: Array<string | null> }',
      ],
      [
        { prefixItems: [{ type: "string" }, { type: "integer" }], items: false, minItems: 2, type: "array" },
        "tuple[str, int]",
        "[string, number]",
      ],
    ];
    for (const [schema, python, typescript] of rows) {
      expect(typeOf(schema), JSON.stringify(schema)).toBe(python);
      expect(typeOf(schema, "typescript"), JSON.stringify(schema)).toBe(typescript);
    }
  });

  it("put required parameters first, keep defaults, and admit None for what may be left out", () => {
    const schema = {
      properties: { a: { type: "string", default: "x" }, b: { type: "integer" }, c: { type: "boolean" } },
      required: ["b"],
    };
    const [info] = createToolset({ toolkits: [kit("k", [tool("t", schema)])] }).list();
    expect(info?.signature).toBe('tools.k.t(b: int, a: str = "x", c: bool | None = None) -> Any');
    expect(info?.signatures.typescript).toBe(
      "tools.k.t(args: { b: number; a?: string; c?: boolean }): Promise<unknown>",
    );
  });

  it("tell a nested object's members in words where the language can't write them", () => {
    const schema = {
      type: "object",
      description: "Where.",
      properties: { lat: { type: "number" } },
      required: ["lat"],
    };
    expect(parameterOf(schema).description).toBe("Where. Shape: { lat: number }");
    expect(parameterOf(schema, "typescript").description).toBe("Where.");
  });

  it("end safely at recursion, at references that lead nowhere, and at members of every object", () => {
    const root = {
      properties: {
        tree: { $ref: "#/$defs/node" },
        lost: { $ref: "#/nowhere" },
        odd: { $ref: "#/constructor/prototype" },
        far: { $ref: "https://example.org/schema.json" },
        loop: { $ref: "#/properties/loop" },
      },
      required: ["tree", "lost", "odd", "far", "loop"],
      $defs: { node: { type: "array", items: { $ref: "#/$defs/node" } } },
    };
    const [bound] = createBindings([kit("k", [tool("t", root)])], "python").toolkits;
    expect(bound?.tools[0]?.parameters.map(({ type }) => type)).toEqual(["list[Any]", "Any", "Any", "Any", "Any"]);
  });

  it("cost little for a document whose references fan out", () => {
    const wide = (next: string): JsonSchema => ({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`p${at}`, { $ref: `#/$defs/${next}` }])),
    });
    const levels = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`l${at}`, wide(`l${at + 1}`)]));
    const root = { properties: { p: { $ref: "#/$defs/l0" } }, $defs: levels };
    const [bound] = createBindings([kit("k", [tool("t", root)])], "typescript").toolkits;
    expect(bound?.tools[0]?.parameters[0]?.type.length).toBeLessThan(500_000);
  });

  it("take properties called like members of every object for what they are", () => {
    const root = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}',
    ) as JsonSchema;
    const [bound] = createBindings([kit("k", [tool("t", root)])], "python").toolkits;
    expect(bound?.tools[0]?.parameters.map(({ name, type }) => [name, type])).toEqual([
      ["__proto__", "str | None"],
      ["constructor", "int | None"],
    ]);
  });

  it("mark a tool that takes more than its schema names", () => {
    const open = createBindings([kit("k", [tool("t", { additionalProperties: true })])], "python").toolkits[0]
      ?.tools[0];
    expect(open?.open).toBe(true);
    const [info] = createToolset({ toolkits: [kit("k", [tool("t", { additionalProperties: true })])] }).list();
    expect(info?.signature).toBe("tools.k.t(**more: Any) -> Any");
  });
});

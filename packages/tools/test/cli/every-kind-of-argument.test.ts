import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CliDefinitionInput } from "../../src/cli/definition.js";
import { createCliToolkit } from "../../src/cli/index.js";
import { contextOf, fixture, refusalOf, type Seen, temporaryFolder, toolkitOf } from "./fixture.js";

const schema: CliDefinitionInput["schema"] = {
  options: {
    flag: { type: "boolean", description: "A flag" },
    word: { type: "string", pattern: "^[a-z]+$" },
    count: { type: "integer", minimum: 1, maximum: 9, default: 3 },
    ratio: { type: "number", minimum: 0 },
    mode: { enum: ["fast", "safe"], required: true },
    level: { type: "integer", enum: [1, 2] },
    tags: { type: "array" },
    ports: { type: "array", items: "integer", maximum: 65_535 },
    ratios: { type: "array", items: "number", separator: "," },
  },
  positional: [{ name: "file" }, { name: "rest", type: "array", required: false }],
  stdin: { name: "input" },
};

describe("every kind of argument", () => {
  const kit = () => toolkitOf({ name: "p", command: fixture("args.mjs"), output: "json", schema });

  it("is in the schema that signatures, help and checks are made of [P2]", () => {
    expect(kit().tools[0]!.inputSchema).toEqual({
      type: "object",
      properties: {
        file: { type: "string" },
        rest: { type: "array", items: { type: "string" } },
        flag: { type: "boolean", description: "A flag" },
        word: { type: "string", pattern: "^[a-z]+$" },
        count: { type: "integer", minimum: 1, maximum: 9, default: 3 },
        ratio: { type: "number", minimum: 0 },
        mode: { type: "string", enum: ["fast", "safe"] },
        level: { type: "integer", enum: [1, 2] },
        tags: { type: "array", items: { type: "string" } },
        ports: { type: "array", items: { type: "integer", maximum: 65_535 } },
        ratios: { type: "array", items: { type: "number" } },
        input: { type: "string" },
      },
      required: ["file", "mode"],
      additionalProperties: false,
    });
  });

  it("reaches the program as it was given, defaults filled in [P2]", async () => {
    const args = {
      file: "a b",
      rest: ["-x", ""],
      flag: true,
      word: "w",
      ratio: 0.25,
      mode: "safe",
      level: 2,
      tags: ["é", "-1"],
      ports: [80, 443],
      ratios: [0.5, 1],
      input: "from stdin\n",
    };
    expect(await kit().call("run", args, contextOf())).toMatchObject({
      args: [
        ...["--flag", "--word=w", "--count=3", "--ratio=0.25", "--mode=safe", "--level=2", "--tags=é", "--tags=-1"],
        ...["--ports=80", "--ports=443", "--ratios=0.5,1", "--", "a b", "-x", ""],
      ],
      stdin: "from stdin\n",
    });
    const { args: least } = (await kit().call("run", { file: "f", mode: "fast" }, contextOf())) as Seen;
    expect(least).toEqual(["--count=3", "--mode=fast", "--", "f"]);
  });
});

describe("a definition whose own values don't fit", () => {
  const problem = (more: Partial<CliDefinitionInput>) => {
    try {
      createCliToolkit({ name: "p", schema, ...more }, { source: "/definitions/test.yaml" });
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it.each([
    [
      { schema: { options: { n: { type: "integer", minimum: 1, maximum: 9, default: 10 } } } },
      /at least 1 and at most 9/,
    ],
    [{ schema: { options: { n: { type: "number", minimum: 0, default: -0.5 } } } }, /at least 0/],
    [{ schema: { options: { w: { pattern: "^a+$", default: "b" } } } }, /match the pattern of "w"/],
    [{ schema: { options: { l: { type: "array", items: "integer", maximum: 5, default: [1, 6] } } } }, /default\[1\]/],
    [{ recipes: { r: { preset: { count: 10 } } } }, /recipes\.r\.preset\.count.*at most 9/],
    [{ recipes: { r: { preset: { word: "UPPER" } } } }, /recipes\.r\.preset\.word/],
    [{ recipes: { r: { params: { count: { default: 0 } } } } }, /recipes\.r\.params\.count\.default/],
    [{ recipes: { r: { params: { count: { maximum: 2 } } } } }, /recipes\.r\.params\.count.*at most 2/],
    [{ recipes: { r: { params: { count: { enum: [1, 2] } } } } }, /recipes\.r\.params\.count.*one of the values/],
  ] as [Partial<CliDefinitionInput>, RegExp][])("is refused by field: %j [P2]", (more, message) => {
    const recipes = { mode: "fast" };
    const own = more.recipes?.r;
    const filled =
      own == null
        ? more
        : {
            ...more,
            recipes: { r: { ...own, preset: { ...recipes, ...own.preset }, params: { file: {}, ...own.params } } },
          };
    expect(problem(filled)).toMatchObject({
      code: "tool/definition-invalid",
      message: expect.stringMatching(message),
    });
  });

  it("and is taken when they do", () => {
    const recipes = {
      r: { preset: { mode: "fast", count: 9, word: "ok" }, params: { file: {}, count: { maximum: 9 } } },
    };
    expect(problem({ recipes })).toBeUndefined();
  });
});

describe("what a recipe has of its own", () => {
  const program = (more: Partial<CliDefinitionInput>) =>
    toolkitOf({
      name: "p",
      command: [process.execPath],
      endOfOptions: false,
      schema: { options: { script: { flag: "-e", style: "separate", allowLeadingDash: true } } },
      ...more,
    });

  it("is its time, output, exit codes and effect, before those of the program [P2]", async () => {
    const params = { script: {} };
    const kit = program({
      recipes: {
        slow: { params, timeout: 0.3 },
        lines: { params, output: "lines", successExitCodes: [0, 2], effect: "read" },
      },
    });
    expect(await refusalOf(kit.call("slow", { script: "setInterval(() => {}, 1e9)" }, contextOf()))).toMatchObject({
      code: "tool/timed-out",
      details: { timeoutMs: 300 },
    });
    const script = "console.log('a\\nb'); process.exitCode = 2";
    expect(await kit.call("lines", { script }, contextOf())).toEqual(["a", "b"]);
    expect((await refusalOf(kit.call("run", { script }, contextOf()))).code).toBe("tool/exit-code");
    expect(kit.tools.map(({ name, effect, timeoutMs }) => [name, effect, timeoutMs])).toEqual([
      ["slow", "write", 300],
      ["lines", "read", 60_000],
      ["run", "write", 60_000],
    ]);
  });

  it("keeps both streams of a failure, what is no UTF-8 in readable form, and the signal that ended it [P2]", async () => {
    const kit = program({});
    const bytes =
      "process.stdout.write(Buffer.from([0x6f, 0xff])); process.stderr.write(Buffer.from([0x65, 0xfe, 0x0a]));";
    const failed = await refusalOf(kit.call("run", { script: `${bytes} process.exitCode = 7` }, contextOf()));
    expect(failed.details).toMatchObject({ exitCode: 7, signal: null, stdout: "o\ufffd", stderr: "e\ufffd\n" });
    const killed = await refusalOf(kit.call("run", { script: "process.kill(process.pid, 'SIGKILL')" }, contextOf()));
    expect(killed).toMatchObject({ code: "tool/exit-code", message: expect.stringContaining("SIGKILL") });
    expect(killed.details).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });

  it("runs where the definition says, seen from the definition's own folder [P2]", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "work"));
    const source = join(folder, "p.yaml");
    const kit = createCliToolkit({ name: "p", command: fixture("args.mjs"), output: "json", cwd: "work" }, { source });
    expect(((await kit.call("run", {}, contextOf())) as Seen).cwd).toBe(join(dirname(source), "work"));
    await kit.close?.();
  });
});

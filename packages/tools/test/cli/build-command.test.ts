import { describe, expect, it } from "vitest";
import type { CliDefinitionInput } from "../../src/cli/definition.js";
import { contextOf, fixture, refusalOf, type Seen, toolkitOf } from "./fixture.js";

type Schema = NonNullable<CliDefinitionInput["schema"]>;

function program(schema: Schema, more: Partial<CliDefinitionInput> = {}) {
  return toolkitOf({ name: "p", command: fixture("args.mjs"), output: "json", schema, ...more });
}

async function argsOf(schema: Schema, args: Record<string, unknown>, more: Partial<CliDefinitionInput> = {}) {
  return ((await program(schema, more).call("run", args, contextOf())) as Seen).args;
}

describe("the command line of a tool", () => {
  it("writes flags, and leaves out those that are false [P2]", async () => {
    const options = {
      verbose: { type: "boolean", short: "v" },
      debug: { type: "boolean" },
      n: { type: "boolean" },
    } as const;
    expect(await argsOf({ options }, { verbose: true, debug: true, n: true })).toEqual(["-v", "--debug", "-n"]);
    expect(await argsOf({ options }, { verbose: false, debug: false })).toEqual([]);
  });

  it("ties values to their options: behind an equals sign for long ones, attached for short ones [P2]", async () => {
    const options = {
      output: { short: "o" },
      "max-time": { type: "number" },
      exclude: { type: "array", short: "e" },
      level: { type: "integer", long: "log-level" },
    } as const;
    const args = { output: "file.txt", "max-time": 1.5, exclude: ["*.log", "-x"], level: -5 };
    expect(await argsOf({ options }, args)).toEqual([
      "-ofile.txt",
      "--max-time=1.5",
      "-e*.log",
      "-e-x",
      "--log-level=-5",
    ]);
  });

  it("puts options before positional arguments whatever the order of the call, and the end-of-options mark between [P2]", async () => {
    const schema: Schema = {
      options: { force: { type: "boolean", short: "f" } },
      positional: [{ name: "from" }, { name: "to", type: "array" }],
    };
    expect(await argsOf(schema, { to: ["b", "c"], from: "a", force: true })).toEqual(["-f", "--", "a", "b", "c"]);
  });

  it("keeps a value that begins with a dash from becoming a flag: behind the mark, or refused where there is none [P2]", async () => {
    const schema: Schema = { positional: [{ name: "file" }] };
    expect(await argsOf(schema, { file: "--delete-all" })).toEqual(["--", "--delete-all"]);
    expect(await argsOf(schema, { file: "--x" }, { endOfOptions: "--end-of-options" })).toEqual([
      "--end-of-options",
      "--x",
    ]);
    const error = await refusalOf(argsOf(schema, { file: "--delete-all" }, { endOfOptions: false }));
    expect(error.code).toBe("tool/invalid-argument");
    expect(error.details.argument).toBe("file");
    expect(await argsOf(schema, { file: "plain" }, { endOfOptions: false })).toEqual(["plain"]);
  });

  it("refuses a value that begins with a dash where it would be a word of its own, unless the definition vouches for the program", async () => {
    const option = { flag: "-name" };
    expect(await argsOf({ options: { name: option } }, { name: "*.ts" })).toEqual(["-name", "*.ts"]);
    const error = await refusalOf(argsOf({ options: { name: option } }, { name: "-delete" }));
    expect(error.message).toContain("-name");
    const vouched = { options: { name: { ...option, allowLeadingDash: true } } };
    expect(await argsOf(vouched, { name: "-delete" })).toEqual(["-name", "-delete"]);
  });

  it("never lets an empty value of a short option swallow the next word", async () => {
    const schema: Schema = { options: { o: {} }, positional: [{ name: "file" }] };
    expect(await argsOf(schema, { o: "", file: "f" })).toEqual(["-o", "", "--", "f"]);
  });

  it("hands quotes, blanks, semicolons and line ends over as they are: there is no shell [P2]", async () => {
    const text = "; rm -rf '/' \"$(id)\" `id` | cat > x\n* é 漢 𝄞";
    expect(await argsOf({ positional: [{ name: "text" }] }, { text })).toEqual(["--", text]);
  });

  it("refuses NUL characters and broken Unicode, which no program can be given", async () => {
    const schema: Schema = { positional: [{ name: "text" }] };
    expect((await refusalOf(argsOf(schema, { text: "a\0b" }))).message).toContain("NUL");
    expect((await refusalOf(argsOf(schema, { text: "a\ud800" }))).message).toContain("Unicode");
  });

  it("joins an array with its separator, and refuses items that hold it", async () => {
    const options = { fields: { type: "array", separator: "," } } as const;
    expect(await argsOf({ options }, { fields: ["a", "b"] })).toEqual(["--fields=a,b"]);
    expect(await argsOf({ options }, { fields: [] })).toEqual([]);
    expect((await refusalOf(argsOf({ options }, { fields: ["a,b"] }))).details.argument).toBe("fields");
  });

  it("writes large whole numbers out, never in powers of ten", async () => {
    const schema: Schema = { positional: [{ name: "n", type: "integer" }] };
    expect(await argsOf(schema, { n: 1e21 })).toEqual(["--", "1000000000000000000000"]);
    expect(await argsOf(schema, { n: 2n ** 70n })).toEqual(["--", "1180591620717411303424"]);
  });

  it("refuses a later positional argument while one before it is missing", async () => {
    const schema: Schema = {
      positional: [{ name: "a" }, { name: "b", required: false }, { name: "c", required: false }],
    };
    const error = await refusalOf(argsOf(schema, { a: "1", c: "3" }));
    expect(error.code).toBe("tool/missing-argument");
    expect(error.details.argument).toBe("b");
    expect((await refusalOf(argsOf(schema, {}))).details.argument).toBe("a");
  });

  it("writes text or bytes to the program's standard input, which is empty otherwise", async () => {
    const kit = program({ stdin: { name: "input", type: "bytes" } });
    expect(((await kit.call("run", { input: "héllo" }, contextOf())) as Seen).stdin).toBe("héllo");
    expect(((await kit.call("run", { input: new TextEncoder().encode("raw") }, contextOf())) as Seen).stdin).toBe(
      "raw",
    );
    expect(((await kit.call("run", {}, contextOf())) as Seen).stdin).toBe("");
  });
});

describe("recipes", () => {
  const schema: Schema = {
    options: {
      timing: { type: "integer", short: "T", default: 3, description: "Speed" },
      ports: { description: "Ports" },
      quiet: { type: "boolean", short: "q" },
    },
    positional: [{ name: "target", required: true, description: "Host" }],
  };

  it("inherit type, description, default and being required from the schema [P2]", () => {
    const [scan] = program(schema, { recipes: { scan: { params: { target: {}, timing: {} } } } }).tools;
    expect(scan?.inputSchema).toEqual({
      type: "object",
      properties: {
        target: { type: "string", description: "Host" },
        timing: { type: "integer", description: "Speed", default: 3 },
      },
      required: ["target"],
      additionalProperties: false,
    });
  });

  it("may take a positional argument without those before it, which then has the first place [P2]", async () => {
    const places: Schema = { positional: ["from", "to"].map((name) => ({ name, required: false })) };
    const kit = program(places, { recipes: { only: { params: { to: { required: true } } } } });
    expect(((await kit.call("only", { to: "b" }, contextOf())) as Seen).args).toEqual(["--", "b"]);
    expect(await refusalOf(kit.call("run", { to: "b" }, contextOf()))).toMatchObject({ code: "tool/missing-argument" });
  });

  it("take every argument of the program when they name none of their own [P2]", () => {
    const [all] = program(schema, { recipes: { all: { preset: { quiet: true } } } }).tools;
    expect(Object.keys(all?.inputSchema.properties as object)).toEqual(["target", "timing", "ports", "quiet"]);
  });

  it("apply presets, let callers override those they open, and keep the others fixed [P2]", async () => {
    const kit = program(schema, {
      recipes: {
        scan: {
          args: ["sub"],
          preset: { ports: "80", quiet: true },
          params: { target: { default: "localhost" }, ports: {} },
        },
      },
    });
    const scan = async (args: Record<string, unknown>) => ((await kit.call("scan", args, contextOf())) as Seen).args;
    expect(await scan({})).toEqual(["sub", "-T3", "--ports=80", "-q", "--", "localhost"]);
    expect(await scan({ target: "h", ports: "1-9" })).toEqual(["sub", "-T3", "--ports=1-9", "-q", "--", "h"]);
    expect(kit.tools[0]?.inputSchema).toMatchObject({ required: [], properties: { ports: { default: "80" } } });
    expect(Object.keys(kit.tools[0]?.inputSchema.properties as object)).toEqual(["target", "ports"]);
  });

  it("may change an argument's type, default, and whether it is required [P2]", () => {
    const [scan] = program(schema, {
      recipes: {
        scan: {
          params: { target: { required: false, description: "Own" }, ports: { enum: ["80", "443"], required: true } },
        },
      },
    }).tools;
    expect(scan?.inputSchema).toMatchObject({
      required: ["ports"],
      properties: { target: { description: "Own" }, ports: { enum: ["80", "443"] } },
    });
  });

  it("stand beside an escape hatch that takes every argument, has a name to choose, and can be off [P2]", () => {
    const names = (more: Partial<CliDefinitionInput>) => program(schema, { recipes: { scan: {} }, ...more });
    expect(names({}).tools.map(({ name }) => name)).toEqual(["scan", "run"]);
    expect(names({}).directTool).toBe("run");
    expect(names({ escapeHatch: "raw" }).directTool).toBe("raw");
    expect(names({ escapeHatch: false }).tools.map(({ name }) => name)).toEqual(["scan"]);
    expect(names({ escapeHatch: false }).directTool).toBeUndefined();
    expect(names({ recipes: { p: {} } }).directTool).toBe("p");
  });
});

import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonSchema, Toolkit } from "@artificer/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DraftOptions, draftCliTool } from "../../../src/cli/draft/draft-cli-tool.js";
import { readCliToolkit } from "../../../src/cli/load-cli-toolkits.js";
import { helpTexts } from "./help-texts.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "artificer-draft-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const opened: Toolkit[] = [];
afterAll(() => Promise.all(opened.map((kit) => kit.close?.())));

/** The toolkit that the draft makes as it stands. */
async function drafted(command: string[], options: DraftOptions = {}): Promise<Toolkit> {
  const { text, name } = await draftCliTool(command, options);
  const kit = readCliToolkit(text, { source: join(folder, `${name}.yaml`), cwd: folder });
  opened.push(kit);
  return kit;
}

function call(kit: Toolkit, tool: string, args: Record<string, unknown>): Promise<unknown> {
  return kit.call(tool, args, { signal: new AbortController().signal, session: "s", cell: 1 });
}

function properties(kit: Toolkit, tool = "run"): Record<string, JsonSchema> {
  return kit.tools.find(({ name }) => name === tool)!.inputSchema.properties as Record<string, JsonSchema>;
}

async function script(name: string, body: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!${process.execPath}\n${body}`);
  await chmod(file, 0o755);
  return file;
}

describe("the draft of a program that is everywhere loads, and its calls work", { timeout: 120_000 }, () => {
  it("grep: options with and without values, a pattern and files [P2]", async () => {
    await writeFile(join(folder, "sheep.txt"), "Dolly\nMolly\nBob\n");
    const kit = await drafted(["grep"]);
    expect(properties(kit)).toMatchObject({
      PATTERNS: { type: "string" },
      FILE: { type: "array" },
      "max-count": { type: "integer" },
      "ignore-case": { type: "boolean" },
      file: { type: "string" },
    });
    const found = call(kit, "run", { PATTERNS: "OLLY", FILE: ["sheep.txt"], "ignore-case": true, "max-count": 1 });
    expect(await found).toBe("Dolly\n");
  });

  it("tar: an archive made and listed [P2]", async () => {
    const kit = await drafted(["tar"]);
    await call(kit, "run", { create: true, file: "sheep.tar", FILE: ["sheep.txt"] });
    expect(await call(kit, "run", { list: true, file: "sheep.tar" })).toBe("sheep.txt\n");
  });

  it("python3 -m json.tool: words that always stand there, arguments with their descriptions [P2]", async () => {
    await writeFile(join(folder, "ram.json"), '{"b": 1, "a": 2}');
    const kit = await drafted(["python3", "-m", "json.tool"]);
    expect(kit.name).toBe("json.tool");
    expect(properties(kit).infile).toMatchObject({ description: "a JSON file to be validated or pretty-printed" });
    expect(await call(kit, "run", { infile: "ram.json", "sort-keys": true, compact: true })).toBe('{"a":2,"b":1}\n');
  });

  it("git: subcommands as recipes, each with its own options [P2]", async () => {
    const only = ["init", "add", "status", "commit"];
    const kit = await drafted(["git"], { only });
    expect(kit.tools.map(({ name }) => name).sort()).toEqual([...only].sort());
    expect(properties(kit, "commit")).toMatchObject({ message: {}, amend: { type: "boolean" } });
    expect(properties(kit, "init")).not.toHaveProperty("amend");
    await call(kit, "init", { quiet: true, directory: "flock" });
    await writeFile(join(folder, "flock/a.txt"), "a");
    const inside = readCliToolkit((await draftCliTool(["git"], { only })).text, {
      source: join(folder, "git.yaml"),
      cwd: join(folder, "flock"),
    });
    await call(inside, "add", { args: ["a.txt"] });
    expect(await call(inside, "status", { short: true })).toBe("A  a.txt\n");
  });

  it("npm: subcommands from a list of names [P2]", async () => {
    await mkdir(join(folder, "pen"), { recursive: true });
    const { text } = await draftCliTool(["npm"], { only: ["root", "install"], timeoutMs: 60_000 });
    const kit = readCliToolkit(text, { source: join(folder, "npm.yaml"), cwd: join(folder, "pen") });
    expect(properties(kit, "install")).toMatchObject({
      "save-dev": { type: "boolean" },
      "dry-run": { type: "boolean" },
    });
    expect(await call(kit, "root", {})).toContain("node_modules");
  });
});

describe("help texts of every style", () => {
  const draft = (helpText: string) => drafted(["crate"], { helpText });

  it("argparse: choices, types, subcommands [P2]", async () => {
    const kit = await draft(helpTexts.argparse);
    expect(kit.tools.map(({ name, description }) => [name, description])).toEqual([
      ["pack", "Packs a folder"],
      ["unpack", "Unpacks a crate"],
    ]);
    const plain = await draft(
      helpTexts.argparse.replace(" {pack,unpack} ...", " SRC").replace(/positional[\s\S]*crate\n\n/, ""),
    );
    expect(properties(plain)).toMatchObject({ SRC: {}, depth: { type: "string" }, format: { enum: ["json", "yaml"] } });
  });

  it("click: types, choices, what is required, what may be repeated [P2]", async () => {
    const kit = await draft(helpTexts.click);
    expect(kit.description).toBe("Copies crates from one place to another.");
    expect(kit.tools[0]!.inputSchema.required).toEqual(["SRC", "kind"]);
    expect(properties(kit)).toMatchObject({
      SRC: { type: "string" },
      DST: { type: "array" },
      count: { type: "integer" },
      tag: { type: "array", items: { type: "string" } },
      kind: { enum: ["wood", "steel"] },
      rate: { type: "number" },
      shout: { type: "boolean" },
    });
  });

  it("clap: descriptions below, possible values, lists [P2]", async () => {
    const kit = await draft(helpTexts.clap);
    expect(kit.tools[0]!.inputSchema.required).toEqual(["PATTERN"]);
    expect(properties(kit)).toMatchObject({
      PATTERN: { description: "What to look for" },
      PATH: { type: "array" },
      exclude: { type: "array", items: { type: "string" }, description: "What to leave out" },
      color: { enum: ["auto", "always", "never"] },
      jobs: { type: "integer" },
    });
    expect(properties(kit)).not.toHaveProperty("help");
  });

  it("cobra: subcommands and their flags, with the types of Go [P2]", async () => {
    const file = await script(
      "crate-cobra",
      `const texts = ${JSON.stringify(helpTexts)}; const words = process.argv.slice(2);
console.log(words[0] === "move" ? (words[1] === "--help" ? texts.cobraCommand : JSON.stringify(words)) : texts.cobra);`,
    );
    const kit = await drafted([file], { name: "crate" });
    expect(kit.tools.map(({ name }) => name)).toEqual(["completion", "move"]);
    const move = kit.tools[1]!;
    expect(move.inputSchema.required).toEqual(["FROM", "TO"]);
    expect(properties(kit, "move")).toMatchObject({
      "dry-run": { type: "boolean" },
      label: { type: "array" },
      output: { type: "string" },
      retries: { type: "integer" },
      kubeconfig: { type: "string" },
    });
    expect(
      JSON.parse((await call(kit, "move", { FROM: "a", TO: "b", retries: 2, "dry-run": true })) as string),
    ).toEqual(["move", "--dry-run", "--retries", "2", "--", "a", "b"]);
  });

  it("busybox: options apart by tabs, alternatives in the usage [P2]", async () => {
    const kit = await draft(helpTexts.busybox);
    expect(properties(kit)).toMatchObject({
      PATTERN: { type: "string" },
      FILE: { type: "array" },
      H: { type: "boolean" },
      v: { type: "boolean", description: "Select non-matching lines" },
      m: { type: "integer" },
      e: { type: "string" },
    });
    expect(kit.tools[0]!.inputSchema.required).toEqual([]);
  });

  it("Go: long flags behind one dash [P2]", async () => {
    const { text } = await draftCliTool(["crate"], { helpText: helpTexts.golang });
    expect(text).toContain("flag: -addr");
    expect(properties(await draft(helpTexts.golang))).toMatchObject({
      addr: { type: "string", description: 'the address to listen at (default ":80")' },
      verbose: { type: "boolean" },
      workers: { type: "integer" },
    });
  });
});

describe("a program is run with care", () => {
  it("with a bound on time and output, nothing to read, in an empty folder, and ended when it does not end", async () => {
    const hanging = await script("hangs", "setInterval(() => {}, 1000);");
    await expect(draftCliTool([hanging], { timeoutMs: 500 })).rejects.toMatchObject({ code: "tool/output-unparsable" });
    const endless = await script(
      "endless",
      'const line = "  --more   of the same\\n".repeat(1000); const write = () => process.stdout.write(line, write); write();',
    );
    const { text } = await draftCliTool([endless], { timeoutMs: 20_000 });
    expect(text).toContain("more:");
    const looking = await script(
      "looking",
      'console.log("Usage: looking\\n\\n  --files " + "N   " + require("fs").readdirSync(".").length + " " + require("fs").readFileSync(0).length + " " + process.env.SECRET);',
    );
    const seen = await draftCliTool([looking], { environment: { ...process.env, SECRET: "s3cret" } });
    expect(seen.text).toContain("0 0 undefined");
  });

  it("without a shell: what is no program is none", async () => {
    await expect(draftCliTool(["echo --help; touch owned"])).rejects.toMatchObject({ code: "tool/program-missing" });
  });

  it("and says what it could not read", async () => {
    const silent = await script("silent", 'console.log("hello");');
    await expect(draftCliTool([silent])).rejects.toMatchObject({
      code: "tool/output-unparsable",
      message: expect.stringContaining("It printed: hello"),
    });
    await expect(draftCliTool(["crate"], { helpText: helpTexts.cobra, only: ["mvoe"] })).rejects.toMatchObject({
      code: "tool/unknown-tool",
      details: { nearest: ["move"] },
    });
  });

  it("and hostile help makes a draft that loads, its texts being data", async () => {
    const hostile = `Usage: crate [OPTIONS] <${"x".repeat(500)}> <__proto__> <a b>\n\n  --constructor   yes\n  --__proto__ X   "quoted": {yaml: [1}\n  --args <x>...   many\n  --x=%s   *alias &anchor !tag # comment\n  -é, --ümlaut   \u001b[31mred\u001b[0m\n  --very-${"long".repeat(100)}   x\n  - name: evil\nCommands:\n  run   Runs\n  __proto__   Bad\n  a.b.c   Dots\n`;
    const kit = await drafted(["crate"], { helpText: hostile });
    expect(kit.tools.length).toBeGreaterThan(0);
    const plain = await drafted(["crate"], { helpText: hostile.split("Commands:")[0]! });
    expect(properties(plain)).toMatchObject({
      constructor: { type: "boolean" },
      x: {},
      ümlaut: { description: "red" },
    });
  });
});

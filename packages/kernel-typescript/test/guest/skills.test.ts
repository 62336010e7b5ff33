import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prepareSkill } from "../../src/index.js";
import { type HostRequest, ScriptedHost } from "../scripted-host.js";

const sources: Record<string, { language: string; source: string }> = {
  add: {
    language: "typescript",
    source: "export function run({ a, b = 10 }: { a: number; b?: number }): number {\n  return a + b;\n}",
  },
  positional: {
    language: "typescript",
    source: "import { join } from 'node:path'\nexport const run = (a: string, b = 'z') => join(a, b)",
  },
  outer: {
    language: "typescript",
    source:
      "export async function run(args) { return [await skills.invoke('add', { a: 1 }), await skills.add({ a: args.n }), typeof tools.list, typeof display] }",
  },
  broken: { language: "typescript", source: "export function run({ a }) {\n  return a.b.c;\n}" },
  syntax: { language: "typescript", source: "export function run( {" },
  nothing: { language: "typescript", source: "const x = 1" },
  shadow: {
    language: "typescript",
    source: "const tools = 5; let n = 0;\nexport function run() { return [tools, ++n] }",
  },
  loop: { language: "typescript", source: "export async function run() { return skills.loop() }" },
  python: { language: "python", source: "def run(): return 1" },
};
const requests: HostRequest[] = [];

function answer(request: HostRequest): unknown {
  requests.push(request);
  const { method, params } = request;
  if (method === "skills.invoke") return "from python";
  if (method !== "skills.load") return null;
  const name = params.name as string;
  const stack = params.stack as string[];
  if (stack.includes(name)) throw Object.assign(new Error(`${name} calls itself.`), { code: "skill/cycle" });
  const skill = sources[name];
  if (skill === undefined) throw Object.assign(new Error(`No skill ${name}.`), { code: "skill/not-found" });
  const source = skill.language === "typescript" ? prepareSkill(skill.source) : skill.source;
  return { name, language: skill.language, version: 1, hash: `hash-${name}`, source };
}

let host: ScriptedHost;
beforeAll(async () => {
  host = await ScriptedHost.open({ answer });
});
afterAll(() => host.close());
beforeEach(() => {
  requests.length = 0;
});
const used = () => requests.filter(({ method }) => method === "skills.used").map(({ params }) => params);

describe("[P4] skills", () => {
  test("run in this kernel, with object or positional arguments, and tell that they were used", async () => {
    expect((await host.cell("await skills.invoke('add', { a: 1, b: 2 })")).value).toBe(3);
    expect((await host.cell("await skills.add({ a: 1 })")).value).toBe(11);
    expect((await host.cell("await skills.positional({ a: 'x', b: 'y' })")).value).toBe("x/y");
    expect((await host.cell("await skills.positional({ a: 'x' })")).value).toBe("x/z");
    await host.cell("await new Promise((r) => setTimeout(r, 5))");
    expect(used()).toHaveLength(4);
    expect(used()[0]).toMatchObject({ name: "add", version: 1, ok: true, ms: expect.any(Number) });
  });

  test("build on skills, with the stack told to the host, also when run at once", async () => {
    const { value } = await host.cell("await Promise.all([skills.outer({ n: 1 }), skills.outer({ n: 2 })])");
    expect(value).toEqual([
      [11, 11, "function", "function"],
      [11, 12, "function", "function"],
    ]);
    const stacks = requests
      .filter(({ method }) => method === "skills.load")
      .map(({ params }) => [params.name, params.stack]);
    expect(stacks.filter(([name]) => name === "add")).toEqual(Array(4).fill(["add", ["outer"]]));
    expect((await host.cell("await skills.loop()")).error).toMatchObject({ type: "SkillError", code: "skill/cycle" });
  });

  test("have a scope of their own, kept while the source is the same", async () => {
    await host.cell("const n = 'mine'");
    expect((await host.cell("[await skills.shadow(), await skills.shadow(), n, typeof tools]")).value).toEqual([
      [5, 1],
      [5, 2],
      "mine",
      "object",
    ]);
  });

  test("fail with their own name and lines, and tell it", async () => {
    const { error } = await host.cell("\nawait skills.broken({ a: {} })");
    expect(error).toMatchObject({ type: "TypeError", line: 2 });
    expect(error!.traceback).toMatch(/at run \(skill broken:2:14\)\n[\s\S]*at (?:async )?cell \d+:2:1/);
    await host.cell("await new Promise((r) => setTimeout(r, 5))");
    expect(used()[0]).toMatchObject({ name: "broken", ok: false, error: expect.stringContaining("TypeError") });
  });

  test("that can't be run say why", async () => {
    expect((await host.cell("await skills.syntax()")).error).toMatchObject({
      type: "SkillError",
      code: "skill/syntax",
    });
    expect((await host.cell("await skills.nothing()")).error).toMatchObject({ code: "skill/no-run" });
    expect((await host.cell("await skills.missing()")).error).toMatchObject({ code: "skill/not-found", line: 1 });
    expect((await host.cell("await skills.positional({ q: 1 })")).error?.message).toContain("takes no argument q");
  });

  test("of another language are invoked by the host", async () => {
    expect((await host.cell("await skills.python({ x: 1 })")).value).toBe("from python");
    expect(requests.at(-1)).toMatchObject({
      method: "skills.invoke",
      params: { name: "python", args: { x: 1 }, stack: [] },
    });
  });

  test("are created, listed, searched, read and deleted through the host", async () => {
    await host.cell(
      "await skills.create({ name: 'n', source: 's', description: 'd' }); await skills.create('m', 's2', { language: 'python' }); await skills.list({ tag: 't' }); await skills.search('q', { limit: 2 }); await skills.get('n'); await skills.delete('n')",
    );
    expect(requests.map(({ method, params }) => [method, params])).toEqual([
      ["skills.create", { language: "typescript", name: "n", source: "s", description: "d" }],
      ["skills.create", { language: "python", name: "m", source: "s2" }],
      ["skills.list", { tag: "t" }],
      ["skills.search", { query: "q", limit: 2 }],
      ["skills.get", { name: "n" }],
      ["skills.delete", { name: "n" }],
    ]);
  });
});

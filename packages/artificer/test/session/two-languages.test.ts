import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, Session } from "../../src/index.js";

const calc = createToolkit({
  name: "calc",
  description: "Arithmetic",
  tools: {
    add: defineTool({
      description: "The sum of two numbers",
      input: z.object({ a: z.number(), b: z.number() }),
      effect: "read",
      run: async ({ a, b }) => a + b,
    }),
  },
});

describe("one session in two languages", () => {
  let session: Session;
  afterEach(() => session.close());

  it("has one surface of tools and artifacts, and a kernel each", async () => {
    session = new Session({ embedder: null, tools: [calc] });
    const typescript = await session.run(
      'interface Row { n: number }\nconst rows: Row[] = [{ n: await tools.calc.add({ a: 1, b: 1 }) }];\nawait artifacts.save("rows", rows);\nrows.length',
      { language: "typescript" },
    );
    expect(typescript.error).toBeUndefined();
    expect(typescript).toMatchObject({ value: 1, language: "typescript", generation: 1, cell: 1 });
    expect(typescript.toolCalls).toMatchObject([{ tool: "calc.add", status: "completed" }]);
    const python = await session.run('[row["n"] + tools.calc.add(a=1, b=2) for row in artifacts.load("rows")]');
    expect(python).toMatchObject({ value: [5], language: "python", generation: 1, cell: 2 });
  });

  it("calls skills of either from the other", async () => {
    session = new Session({ embedder: null });
    await session.createSkill({
      name: "triple",
      description: "Three times a number",
      language: "typescript",
      source: "export function run({ n }: { n: number }): number {\n  return n * 3;\n}\n",
    });
    await session.createSkill({
      name: "twice",
      description: "Two times a number",
      source: "def run(n: int) -> int:\n    return n * 2\n",
    });
    expect(await session.run("skills.triple(n=14)")).toMatchObject({ status: "completed", value: 42 });
    expect(await session.run("await skills.twice({ n: 21 })", { language: "typescript" })).toMatchObject({
      status: "completed",
      value: 42,
    });
    expect((await session.listSkills()).map(({ name, language }) => [name, language])).toEqual([
      ["triple", "typescript"],
      ["twice", "python"],
    ]);
  });

  it("passes skills of the other language any value that crosses, and gives back any", async () => {
    session = new Session({ embedder: null });
    const description = "Gives back what it was given";
    const source = "export function run({ value }: { value: unknown }) {\n  return value;\n}\n";
    await session.createSkill({ name: "same_ts", description, language: "typescript", source });
    await session.createSkill({ name: "same_py", description, source: "def run(value):\n    return value\n" });
    const code = `import datetime as dt
given = [b"x", {1, 2}, (1, {3: 4}), 2**70, dt.datetime(2024, 1, 2, 3, 4, 5, 6), float("inf"), {"$": 1}]
skills.same_ts(value=given) == given`;
    expect(await session.run(code)).toMatchObject({ status: "completed", value: true });
    const typescript = `import { isDeepStrictEqual } from "node:util";
const given = [new Uint8Array([1]), new Set([1]), new Map([["a", 1]]), 5n, new Date(7), -0, { $: 1 }, new Float32Array([1.5])];
isDeepStrictEqual(await skills.same_py({ value: given }), given)`;
    expect(await session.run(typescript, { language: "typescript" })).toMatchObject({
      status: "completed",
      value: true,
    });
    const at = new Date(5);
    expect((await session.invokeSkill("same_ts", { value: [at, 7n] })).value).toEqual([at, 7n]);
    expect(await session.listShared()).toEqual([]);
  });

  it("gives tools objects, whichever kind of map a cell has", async () => {
    const seen: unknown[] = [];
    const look = defineTool({
      description: "Looks",
      input: z.object({ value: z.any() }),
      effect: "read",
      run: ({ value }) => {
        seen.push(value);
        return null;
      },
    });
    session = new Session({
      embedder: null,
      tools: [createToolkit({ name: "eye", description: "", tools: { look } })],
    });
    const map = "new Map([['a', [new Map([['b', 1]])]]])";
    await session.run(`await tools.eye.look({ value: ${map} }); await share("map", ${map})`, {
      language: "typescript",
    });
    expect((await session.run("tools.eye.look(value=shared.map)")).error).toBeUndefined();
    expect(seen).toEqual([{ a: [{ b: 1 }] }, { a: [{ b: 1 }] }]);
  });

  it("refuses a skill that would wait for its own caller, and says why", async () => {
    session = new Session({ embedder: null });
    await session.createSkill({
      name: "inner",
      description: "In Python",
      source: "def run() -> int:\n    return 1\n",
    });
    await session.createSkill({
      name: "outer",
      description: "In TypeScript",
      language: "typescript",
      source: "export async function run() {\n  return await skills.inner();\n}\n",
    });
    const outcome = await session.run("skills.outer()");
    expect(outcome.status).toBe("failed");
    expect(outcome.traceback).toContain("waits for");
    expect(await session.run("1 + 1")).toMatchObject({ value: 2, generation: 1 });
  });
});

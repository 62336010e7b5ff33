import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, createTypescriptKernel, defineTool, Session } from "../../src/index.js";

let sold = 0;
const shop = createToolkit({
  name: "shop",
  description: "Sells things",
  tools: {
    buy: defineTool({
      description: "Buys things",
      input: z.object({ name: z.string(), count: z.number().optional() }),
      output: z.object({ id: z.number(), name: z.string() }),
      effect: "write",
      run: async ({ name }) => ({ id: ++sold, name }),
    }),
    anything: defineTool({
      description: "Gives who knows what",
      input: z.object({}),
      effect: "read",
      run: async () => ({ deep: { inside: 3 } }),
    }),
  },
});

const session = new Session({ embedder: null, tools: [shop] });
afterAll(() => session.close());
const checked = { language: "typescript", check: true } as const;

describe("a TypeScript cell that is checked before it runs", () => {
  it("is refused for an error of type with its lines, and nothing of it has run", async () => {
    const outcome = await session.run(
      'globalThis.began = true;\nconst one = await tools.shop.buy({ name: "tea", count: "two" });\none.titel',
      checked,
    );
    expect(outcome).toMatchObject({ status: "refused", names: [], toolCalls: [], state: { variables: "kept" } });
    expect(outcome.error).toMatchObject({
      code: "cell/type-error",
      line: 2,
      column: 49,
      problems: [
        { line: 2, column: 49, code: "TS2322" },
        { line: 3, column: 5, code: "TS2339" },
      ],
    });
    const text = outcome.toText();
    expect(text).toContain("2:49 TS2322 Type 'string' is not assignable to type 'number'.");
    expect(text).toMatch(/3:5 TS2339 .*Nearest: id, name\./);
    expect(text.length).toBeLessThan(500);
    expect(JSON.parse(JSON.stringify(outcome.toJSON())).error.problems).toHaveLength(2);
    expect(sold).toBe(0);
    expect((await session.run("typeof began", { language: "typescript" })).value).toBe("undefined");
  });

  it("runs when it is sound; what tools give without a schema may be used as anything", async () => {
    const code =
      'const bought = await tools.shop.buy({ name: "tea" }); (await shop.anything()).deep.inside + bought.name.length';
    expect(await session.run(code, checked)).toMatchObject({ status: "completed", value: 6 });
  });

  it("knows what earlier cells declared, those that nobody checked too, and names that came into being untold", async () => {
    await session.run("class Basket { constructor(public items: string[]) {} }\nlet basket = new Basket(['tea'])", {
      language: "typescript",
    });
    await session.run("(globalThis as any).untold = 4", { language: "typescript" });
    expect((await session.run("basket.itmes", checked)).error).toMatchObject({
      problems: [{ column: 8, code: "TS2551" }],
    });
    expect(await session.run("basket = new Basket([]); basket.items.length + untold", checked)).toMatchObject({
      value: 4,
    });
    expect(await session.run("const basket = 'now a text'; basket.toUpperCase()", checked)).toMatchObject({
      value: "NOW A TEXT",
    });
    expect(await session.run("basket.length", checked)).toMatchObject({ value: 10 });
  });

  it("knows names no longer once their kernel is gone", async () => {
    await session.run("const kept = 1", checked);
    await session.restart("typescript");
    expect((await session.run("kept + 1", checked)).error?.problems).toMatchObject([{ code: "TS2304" }]);
  });

  it("tells a syntax error as ever", async () => {
    expect((await session.run("const = 1", checked)).error).toMatchObject({ code: "cell/syntax" });
  });

  it("keeps many cells at once apart, and a withdrawn one does not hold the rest up", async () => {
    const controller = new AbortController();
    const cells = Array.from({ length: 6 }, (_, index) => session.run(`${"\n".repeat(index)}(1).foo`, checked));
    const withdrawn = session.run("1", { ...checked, signal: controller.signal });
    controller.abort();
    expect((await Promise.all(cells)).map(({ error }) => error?.line)).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await withdrawn).status).toBe("interrupted");
  });

  it("takes secrets out of what it says", async () => {
    const token = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6";
    const outcome = await session.run(`const token = "${token}" as const;\nconst n: number = token`, checked);
    expect(outcome.status).toBe("refused");
    expect(JSON.stringify(outcome.toJSON())).not.toContain(token);
  });
});

describe("asking for the check", () => {
  it("is refused for Python, by name", async () => {
    await expect(session.run("1", { check: true })).rejects.toMatchObject({
      code: "usage/invalid-argument",
      message: expect.stringContaining("check"),
    });
  });

  it("can stand for the whole session, from config.yaml too, and be taken back for one cell; Python is let be", async () => {
    const folder = mkdtempSync(join(tmpdir(), "artificer-check-"));
    writeFileSync(join(folder, "config.yaml"), "code_execution:\n  check: true\n");
    const strict = await Session.fromBase(folder, { embedder: null });
    try {
      expect((await strict.run("(1).foo", { language: "typescript" })).error?.code).toBe("cell/type-error");
      expect((await strict.run("(1).foo", { language: "typescript", check: false })).status).toBe("completed");
      expect((await strict.run("1 + 1")).value).toBe(2);
      const child = new Session({ parent: strict });
      expect((await child.run("(1).foo", { language: "typescript" })).error?.code).toBe("cell/type-error");
      await child.close();
    } finally {
      await strict.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("without the package refuses the cell and names it", async () => {
    const bare = new Session({
      embedder: null,
      programs: [createTypescriptKernel({ compiler: "/nowhere/typescript" })],
    });
    try {
      const { status, error } = await bare.run("1", checked);
      expect(status).toBe("refused");
      expect(error).toMatchObject({ code: "cell/checker-missing" });
      expect(error!.message).toContain('"typescript"');
      expect(await bare.run("1", { language: "typescript" })).toMatchObject({ value: 1 });
    } finally {
      await bare.close();
    }
  });
});

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, Session } from "../../src/index.js";

const tool = (description: string, fails = false) =>
  defineTool({
    description,
    input: z.object({}),
    effect: "read",
    run: async () => {
      if (fails) throw new Error("no");
      return "done";
    },
  });

const barn = createToolkit({
  name: "barn",
  description: "",
  tools: { count: tool("Counts sheep"), shear: tool("Shears sheep"), flee: tool("Frightens sheep", true) },
});

describe("the search for tools learns which query led to a call that succeeded", () => {
  const open = () => new Session({ embedder: null, tools: [barn], limits: { maxToolCalls: 100 } });

  it.each([
    ["python", 'tools.search("sheep haircut"); tools.barn.shear()'],
    ["typescript", 'await tools.search("sheep haircut"); await tools.barn.shear()'],
  ] as const)("in %s, for cells of both languages and for the host [P3]", async (language, code) => {
    await using session = open();
    expect(await session.searchTools("haircut")).toEqual([]);
    expect(await session.run(code, { language })).toMatchObject({ status: "completed", value: "done" });
    expect(await session.searchTools("haircut")).toMatchObject([{ path: "barn.shear" }]);
    const asked = { python: 'tools.search("haircut")[0].path', typescript: '(await tools.search("haircut"))[0].path' };
    for (const [other, search] of Object.entries(asked))
      expect(await session.run(search, { language: other as typeof language })).toMatchObject({ value: "barn.shear" });
  });

  it("when the host searched and a cell called, and not when the call failed [P3]", async () => {
    await using session = open();
    await session.searchTools("sheep haircut");
    await session.run("tools.barn.shear()");
    await session.searchTools("sheep wolf");
    await session.run("tools.barn.flee()");
    expect(await session.searchTools("haircut")).toMatchObject([{ path: "barn.shear" }]);
    expect(await session.searchTools("wolf")).toEqual([]);
  });
});

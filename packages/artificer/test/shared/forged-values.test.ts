import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, type Language, Session } from "../../src/index.js";

const reference = { $type: "reference", id: "x", type: "t", bytes: 1, head: "", tail: "", artifact: "other" };
const array = { $type: "array", dtype: "u1", shape: [1], bytes: new Uint8Array([1]) };
const seen: unknown[] = [];

const forger = createToolkit({
  name: "forger",
  description: "Answers with objects that look like the codec's own",
  tools: {
    answer: defineTool({
      description: "Answers",
      input: z.object({ which: z.string() }),
      effect: "read",
      run: ({ which }) =>
        ({ reference, array, short: { $type: "reference" }, tagged: { $: "reference", v: reference } })[which],
    }),
    look: defineTool({
      description: "Takes anything",
      input: z.object({ value: z.any() }),
      effect: "read",
      run: ({ value }) => {
        seen.push(value);
        return null;
      },
    }),
  },
});

describe.each<[Language, (which: string) => string, string]>([
  ["python", (which) => `v = tools.forger.answer(which="${which}")`, "type(v).__name__ == 'dict'"],
  [
    "typescript",
    (which) => `var v = await tools.forger.answer({ which: "${which}" });`,
    "Object.getPrototypeOf(v) === Object.prototype",
  ],
])("an object that looks like one of the codec's own, in %s", (language, answer, isPlain) => {
  let session: Session;
  beforeAll(() => {
    session = new Session({ embedder: null, tools: [forger] });
  });
  afterAll(() => session.close());

  it.each(["reference", "array", "short", "tagged"])("is data when a tool answers it: %s", async (which) => {
    await session.run(answer(which), { language });
    expect((await session.run(isPlain, { language })).value).toBe(true);
    const { value } = await session.run("v", { language });
    const expected = { reference, array, short: { $type: "reference" }, tagged: { $: "reference", v: reference } };
    expect(value).toEqual(expected[which as keyof typeof expected]);
  });

  it("is data when a cell passes it to a tool, saves it, or shares it", async () => {
    await session.run(answer("reference"), { language });
    const [call, save, share] =
      language === "python"
        ? ["tools.forger.look(value=v)", "artifacts.save('v', v)", "share('v', v)"]
        : ["await tools.forger.look({ value: v })", "await artifacts.save('v', v)", "await share('v', v)"];
    for (const code of [call, save, share]) expect((await session.run(code, { language })).error).toBeUndefined();
    expect(seen.at(-1)).toEqual(reference);
    expect(await session.loadArtifact("v")).toEqual(reference);
    expect(await session.take("v")).toEqual(reference);
    const load =
      language === "python"
        ? "artifacts.load('v') == take('v') == v"
        : "(await artifacts.load('v')).id + (await shared.v).id";
    expect((await session.run(load, { language })).value).toEqual(language === "python" ? true : "xx");
  });
});

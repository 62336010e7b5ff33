import { ArtificerError, type ToolCallContext } from "@artificer/protocol";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool } from "../../src/functions/index.js";

const context: ToolCallContext = { signal: new AbortController().signal, session: "s", cell: 1 };

async function refusal(promise: Promise<unknown>): Promise<ArtificerError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!ArtificerError.is(thrown)) throw new Error(`expected an ArtificerError, got ${String(thrown)}`);
  return thrown;
}

describe("a toolkit of host functions", () => {
  it("infers the arguments from a Zod object and gives run the parsed values, defaults and transforms applied", async () => {
    const shout = defineTool({
      description: "Shouts.",
      input: z.object({ text: z.string().transform((text) => text.toUpperCase()), times: z.number().default(2) }),
      run(args) {
        expectTypeOf(args).toEqualTypeOf<{ text: string; times: number }>();
        return args.text.repeat(args.times);
      },
    });
    const kit = createToolkit({ name: "voice", description: "Speaks.", tools: { shout } });
    expect(await kit.call("shout", { text: "hey" }, context)).toBe("HEYHEY");
    expect(kit.tools[0]).toMatchObject({ name: "shout", effect: "write" });
    expect(kit.tools[0]?.inputSchema).toMatchObject({
      type: "object",
      required: ["text"],
      properties: { text: { type: "string" }, times: { type: "number", default: 2 } },
    });
  });

  it("describes what JSON Schema can't say as any value instead of refusing the tool", () => {
    const tool = defineTool({ description: "", input: z.object({ at: z.date(), big: z.bigint() }), run: () => null });
    const kit = createToolkit({ name: "k", description: "", tools: { tool } });
    expect(kit.tools[0]?.inputSchema).toMatchObject({ properties: { at: {}, big: {} }, required: ["at", "big"] });
  });

  it("names the field that Zod refuses, deep inside an argument too", async () => {
    const tool = defineTool({
      description: "",
      input: z.object({ users: z.array(z.object({ mail: z.string().email() })) }),
      run: () => null,
    });
    const kit = createToolkit({ name: "k", description: "", tools: { tool } });
    const error = await refusal(kit.call("tool", { users: [{ mail: "a@b.org" }, { mail: "nobody" }] }, context));
    expect(error.code).toBe("tool/invalid-argument");
    expect(error.details).toMatchObject({ argument: "users", path: "users[1].mail" });
    expect(error.message).toContain("users[1].mail");
  });

  it("names the allowed values of an enumeration", async () => {
    const tool = defineTool({ description: "", input: z.object({ mode: z.enum(["fast", "slow"]) }), run: () => null });
    const kit = createToolkit({ name: "k", description: "", tools: { tool } });
    expect((await refusal(kit.call("tool", { mode: "quick" }, context))).details.allowed).toEqual(["fast", "slow"]);
  });

  it("awaits asynchronous checks of a schema", async () => {
    const input = z.object({ n: z.number().refine(async (n) => n > 0, "has to be positive") });
    const kit = createToolkit({
      name: "k",
      description: "",
      tools: { tool: defineTool({ description: "", input, run: ({ n }) => n }) },
    });
    expect(await kit.call("tool", { n: 1 }, context)).toBe(1);
    expect((await refusal(kit.call("tool", { n: -1 }, context))).message).toContain("has to be positive");
    expect(await kit.call("tool", { n: 2 }, context)).toBe(2);
  });

  it("takes a plain JSON Schema and passes the arguments on as they came", async () => {
    const echo = defineTool({
      description: "",
      input: { type: "object", properties: { a: { type: "integer" } } },
      output: { type: "object" },
      effect: "read",
      timeoutMs: 50,
      tags: ["t"],
      run(args) {
        expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
        return args;
      },
    });
    const kit = createToolkit({ name: "k", description: "", tools: { echo } });
    const args = { a: 1 };
    expect(await kit.call("echo", args, context)).toBe(args);
    expect(kit.tools[0]).toMatchObject({
      effect: "read",
      timeoutMs: 50,
      tags: ["t"],
      outputSchema: { type: "object" },
    });
  });

  it("tells it as the tool's failure when a result is not what the output schema promises", async () => {
    const tool = defineTool({
      description: "",
      input: z.object({}),
      output: z.object({ count: z.number() }),
      run: () => ({ count: "many" }),
    });
    const error = await refusal(
      createToolkit({ name: "k", description: "", tools: { tool } }).call("tool", {}, context),
    );
    expect(error.code).toBe("tool/failed");
    expect(error.message).toContain("count");
  });

  it("lets a tool's own name win over its key, and refuses two of one name", () => {
    const named = defineTool({ name: "read file", description: "", input: z.object({}), run: () => null });
    expect(createToolkit({ name: "k", description: "", tools: { named } }).tools[0]?.name).toBe("read file");
    expect(() => createToolkit({ name: "k", description: "", tools: { named, "read file": named } })).toThrow(
      expect.objectContaining({ code: "tool/duplicate" }),
    );
  });

  it("refuses an input that is not of type object when the toolkit is made", () => {
    const tool = defineTool({ description: "", input: { type: "string" }, run: () => null });
    expect(() => createToolkit({ name: "k", description: "", tools: { tool } })).toThrow(
      expect.objectContaining({ code: "tool/definition-invalid" }),
    );
  });

  it("refuses a tool it doesn't have, naming the nearest", async () => {
    const tool = defineTool({ description: "", input: z.object({}), run: () => null });
    const kit = createToolkit({ name: "k", description: "", tools: { search: tool, toString: tool } });
    expect((await refusal(kit.call("serach", {}, context))).details).toMatchObject({ nearest: ["search"] });
    expect((await refusal(kit.call("constructor", {}, context))).code).toBe("tool/unknown-tool");
  });

  it("runs what its author closes when the toolkit is closed", async () => {
    let closed = 0;
    const kit = createToolkit({
      name: "k",
      description: "",
      tools: {},
      async close() {
        closed += 1;
      },
    });
    await kit.close?.();
    expect(closed).toBe(1);
  });
});

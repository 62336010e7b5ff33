import { execFileSync } from "node:child_process";
import type { Value } from "@artificer/protocol";
import { describe, expect, it } from "vitest";
import { invocationCode } from "../../src/session/invocation-code.js";

const none = {
  stash(): string {
    throw new Error("nothing of it had to be laid by");
  },
};

const nasty = {
  quote: "\"'\\",
  lines: "a\nb\r\u2028",
  nul: "\0",
  emoji: "🎈",
  code: '"); import os #',
  nested: [{ a: null, b: [true, 1.5] }],
};

describe("the cell that invokes a skill", () => {
  it("carries arguments as data in Python, whatever they hold", () => {
    const code = invocationCode("python", "some_skill", nasty, none);
    const script = `class S:\n  def invoke(self, name, **kw):\n    import json; print(json.dumps([name, kw]))\nskills = S()\n${code}\n`;
    const printed = execFileSync("python3", ["-c", script], { encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual(["some_skill", nasty]);
  });

  it("carries arguments as data in TypeScript, whatever they hold", async () => {
    const run = new Function(
      "skills",
      `return (async () => ${invocationCode("typescript", "some_skill", nasty, none)})()`,
    );
    expect(await run({ invoke: (name: string, args: unknown) => [name, args] })).toEqual(["some_skill", nasty]);
  });

  it.each<[string, Value]>([
    ["bytes", new Uint8Array(1)],
    ["a date", new Date(0)],
    ["a big integer", 5n],
    ["a number beyond 2^53", 2 ** 60],
    ["negative zero", -0],
    ["an object with a key $", { $: 1 }],
  ])("lays by what JSON can't carry, such as %s, and names where it lies", (_what, at) => {
    const laid: Value[] = [];
    const stash = (value: Value) => `key-${laid.push(value)}`;
    expect(invocationCode("python", "s", { at }, { stash })).toBe('skills.invoke("s", **take("key-1"))');
    expect(invocationCode("typescript", "s", { at }, { stash })).toBe('await skills.invoke("s", await take("key-2"))');
    expect(laid).toEqual([{ at }, { at }]);
  });

  it("refuses what can't cross, naming the argument", () => {
    expect(() => invocationCode("python", "s", { at: [() => 1] as never }, none)).toThrow(
      expect.objectContaining({ code: "value/not-encodable", details: expect.objectContaining({ path: "$.at[0]" }) }),
    );
  });
});

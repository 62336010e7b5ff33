import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { invocationCode } from "../../src/session/invocation-code.js";

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
    const code = invocationCode("python", "some_skill", nasty);
    const script = `class S:\n  def invoke(self, name, **kw):\n    import json; print(json.dumps([name, kw]))\nskills = S()\n${code}\n`;
    const printed = execFileSync("python3", ["-c", script], { encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual(["some_skill", nasty]);
  });

  it("carries arguments as data in TypeScript, whatever they hold", async () => {
    const run = new Function("skills", `return (async () => ${invocationCode("typescript", "some_skill", nasty)})()`);
    expect(await run({ invoke: (name: string, args: unknown) => [name, args] })).toEqual(["some_skill", nasty]);
  });

  it("refuses what JSON can't carry, naming the argument", () => {
    expect(() => invocationCode("python", "s", { at: new Uint8Array(1) })).toThrow(
      expect.objectContaining({ code: "usage/invalid-argument", details: { key: "at" } }),
    );
  });
});

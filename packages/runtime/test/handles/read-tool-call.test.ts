import { type ArtificerError, Tuple } from "@artificer/protocol";
import { describe, expect, it } from "vitest";
import { parseParams } from "../../src/handles/parse-params.js";
import { readToolCall, toolCallParams } from "../../src/handles/read-tool-call.js";

const strange = [
  null,
  true,
  0,
  1,
  -1,
  1.5,
  2 ** 53,
  "",
  "x",
  [],
  ["x"],
  {},
  { a: { b: [1] } },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"a":1,"__proto__":5}'),
  new Map([["a", 1]]),
  new Set([1]),
  new Date(0),
  new Uint8Array(2),
  Tuple.from([1]),
  Object.create(null) as object,
  10n,
];

function* broken(good: readonly Record<string, unknown>[]): Generator<unknown> {
  yield* strange;
  for (const call of good) {
    yield { ...call };
    yield { ...call, extra: 1 };
    for (const member of ["toolkit", "tool", "args", "line"]) {
      const { [member]: _, ...without } = call;
      yield without;
      for (const value of strange) yield { ...call, [member]: value };
    }
  }
}

describe("the quick look at a tool call", () => {
  it("gives what the schema gives, and refuses what it refuses with the same error", () => {
    let accepted = 0;
    let refused = 0;
    const calls = [
      { toolkit: "t", tool: "x", args: { a: 1, b: null } },
      { toolkit: "t", tool: "x", args: {}, line: 7 },
    ];
    for (const params of broken(calls)) {
      let slow: unknown;
      try {
        slow = parseParams(toolCallParams, params, "tools.call");
      } catch (thrown) {
        refused++;
        const { code, message, details } = thrown as ArtificerError;
        expect(() => readToolCall(params)).toThrow(expect.objectContaining({ code, message, details }));
        continue;
      }
      accepted++;
      expect(readToolCall(params)).toEqual(slow);
    }
    expect(Math.min(accepted, refused)).toBeGreaterThan(10);
  });

  it("lets nothing of an object's prototype count as an argument", () => {
    const params = { toolkit: "t", tool: "x", args: JSON.parse('{"__proto__":{"admin":true},"a":1}') };
    const { args } = readToolCall(params);
    expect(args.a).toBe(1);
    expect("admin" in args).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { cellRunResult } from "../../src/wire/kernel-methods.js";
import { wireMessage } from "../../src/wire/messages.js";
import { readCellResult } from "../../src/wire/read-cell-result.js";
import { readMessage } from "../../src/wire/read-message.js";

/** Every value that a hostile kernel may put where something else belongs, as JSON knows them. */
const strange = [
  undefined,
  null,
  true,
  0,
  -0,
  1,
  -1,
  1.5,
  1e300,
  2 ** 53,
  "",
  "x",
  "x".repeat(200),
  "x".repeat(201),
  [],
  ["x"],
  ["x", 1],
  {},
  { code: "a/b", message: "m" },
  { code: "a/b", message: "m", details: 5 },
  JSON.parse('{"__proto__":{"id":1}}'),
];

/** The good ones, then each with every member replaced by everything strange, left out, or joined by a strange one. */
function* broken(good: readonly Record<string, unknown>[]): Generator<unknown> {
  yield* strange;
  for (const message of good) {
    yield { ...message };
    yield { ...message, extra: 1 };
    yield JSON.parse(JSON.stringify(message).replace("{", '{"__proto__":{"type":"request"},'));
    yield Object.assign([], message);
    for (const member of new Set(good.flatMap((each) => Object.keys(each)))) {
      const { [member]: _, ...without } = message;
      yield without;
      for (const value of strange) if (value !== undefined) yield { ...message, [member]: structuredClone(value) };
    }
  }
}

const messages = [
  { type: "request", id: 1, method: "tools.call", params: { a: 1 }, cell: 3, key: "k" },
  { type: "request", id: 1, method: "tools.call", params: null, key: "k" },
  { type: "response", id: 2, value: [1], key: "k" },
  { type: "response", id: 2, error: { code: "a/b", message: "m", hint: "h" }, key: "k" },
  { type: "cancel", id: 3, reason: "r", key: "k" },
  { type: "notice", name: "display", params: {}, cell: 0, key: "k" },
];

const results = [
  { status: "completed", hasValue: true, value: { a: [1] }, repr: "2", names: ["x"], unawaited: [], marker: "m" },
  { status: "completed", hasValue: false, names: [], unawaited: [] },
  { status: "failed", hasValue: false, names: [], unawaited: [], error: { type: "E", message: "m", traceback: "t" } },
  { status: "exited", hasValue: false, exitCode: 3, names: [], unawaited: ["a.b"] },
  {
    status: "completed",
    hasValue: true,
    reprChars: 9,
    reference: { id: "_1", type: "t", bytes: 1, head: "", tail: "" },
  },
];

describe("the quick look at", () => {
  it("a message gives what the schema gives, and refuses what it refuses with the same issues", () => {
    let accepted = 0;
    let refused = 0;
    for (const header of broken(messages)) {
      const quick = readMessage(header);
      const slow = wireMessage.safeParse(header);
      expect(quick.success, JSON.stringify(header)).toBe(slow.success);
      if (slow.success) {
        accepted++;
        expect(quick.data, JSON.stringify(header)).toStrictEqual(slow.data);
      } else {
        refused++;
        expect(quick.error?.issues).toEqual(slow.error.issues);
      }
    }
    expect(Math.min(accepted, refused)).toBeGreaterThan(100);
  });

  it("a cell's result gives what the schema gives, and refuses what it refuses with the same issues", () => {
    let accepted = 0;
    let refused = 0;
    for (const answer of broken(results)) {
      const slow = cellRunResult.safeParse(answer);
      if (slow.success) {
        accepted++;
        expect(readCellResult(answer), JSON.stringify(answer)).toStrictEqual(slow.data);
      } else {
        refused++;
        expect(() => readCellResult(answer), JSON.stringify(answer)).toThrow(
          expect.objectContaining({ issues: slow.error.issues }),
        );
      }
    }
    expect(Math.min(accepted, refused)).toBeGreaterThan(100);
  });
});

import { describe, expect, it } from "vitest";
import { createSharedValues } from "../../src/shared/create-shared-values.js";

const open = (maxBytes = 10_000) => {
  const told: string[][] = [];
  return { told, shared: createSharedValues({ maxBytes, onNames: (names) => told.push(names) }) };
};

describe("shared values", () => {
  it("are taken as copies, under their last value, with names, sizes and where from", () => {
    const { shared, told } = open();
    const rows = [{ n: 1 }];
    shared.share("rows", rows, { from: "python" });
    rows[0]!.n = 2;
    expect(shared.take("rows")).toEqual([{ n: 1 }]);
    expect(shared.take("rows")).not.toBe(shared.take("rows"));
    shared.share("bytes", new Uint8Array(500), { from: "host" });
    shared.share("rows", 7, { from: "typescript" });
    expect(shared.list()).toEqual([
      { name: "bytes", bytes: expect.any(Number), from: "host" },
      { name: "rows", bytes: expect.any(Number), from: "typescript" },
    ]);
    expect(shared.list()[0]!.bytes).toBeGreaterThan(500);
    expect(shared.remove("rows")).toBe(true);
    expect(shared.remove("rows")).toBe(false);
    expect(told).toEqual([["rows"], ["rows", "bytes"], ["bytes"]]);
  });

  it.each([
    "",
    " ",
    "a b",
    "1a",
    "_a",
    "a-b",
    "a.b",
    "ü",
    "then",
    "constructor",
    "toJSON",
    "x".repeat(101),
    "a\n",
    5,
    null,
  ])("are refused the name %j", (name) => {
    const { shared } = open();
    const refusal = expect.objectContaining({ code: "shared/invalid-name", hint: expect.stringContaining("letters") });
    expect(() => shared.share(name as string, 1, { from: "host" })).toThrow(refusal);
    expect(() => shared.take(name as string)).toThrow(refusal);
  });

  it("answer an unknown name with the nearest, or with all there are", () => {
    const { shared } = open();
    expect(() => shared.take("rows")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("Nothing is shared yet") }),
    );
    shared.share("customer_rows", 1, { from: "host" });
    expect(() => shared.take("customerRow")).toThrow(
      expect.objectContaining({ code: "shared/not-found", hint: "Did you mean customer_rows?" }),
    );
    expect(() => shared.take("zzz")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("Shared are: customer_rows") }),
    );
  });

  it("are bounded together, small ones too, and a refused one changes nothing", () => {
    const { shared } = open(1_000);
    shared.share("a", "x".repeat(500), { from: "host" });
    expect(() => shared.share("b", "x".repeat(500), { from: "host" })).toThrow(
      expect.objectContaining({
        code: "shared/limit-reached",
        details: expect.objectContaining({ maxSharedBytes: 1_000 }),
      }),
    );
    expect(() => shared.share("a", "y".repeat(1_000), { from: "host" })).toThrow(
      expect.objectContaining({ code: "shared/limit-reached" }),
    );
    expect(shared.take("a")).toBe("x".repeat(500));
    // A name gives its own room back when it is shared anew.
    shared.share("a", "z".repeat(800), { from: "host" });
    shared.remove("a");
    const many = () => Array.from({ length: 100 }, (_, n) => shared.share(`n${n}`, null, { from: "host" }));
    expect(many).toThrow(expect.objectContaining({ code: "shared/limit-reached" }));
  });
});

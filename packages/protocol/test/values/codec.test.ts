import { describe, expect, it } from "vitest";
import { createNumberArray, createReference, isNumberArray, isReference } from "../../src/values/codec-mark.js";
import { decodeValue } from "../../src/values/decode-value.js";
import { encodeValue } from "../../src/values/encode-value.js";
import { Table } from "../../src/values/table.js";
import { FrozenSet, Tuple } from "../../src/values/value.js";
import { valueToJson } from "../../src/values/value-to-json.js";

function roundTrip(value: unknown): unknown {
  const { json, parts } = encodeValue(value);
  return decodeValue(JSON.parse(JSON.stringify(json)), parts);
}

describe("the value codec", () => {
  it.each([
    null,
    true,
    0,
    -0,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    2n ** 80n,
    "",
    "\0 grüße 🎈",
    [],
    [1, [2, [3]]],
    {},
    { a: { b: [null] } },
    { $: "int", v: "not an integer" },
    { $: 1, other: { $: 2 } },
    new Date(0),
    new Set([1, "a"]),
    new Map<unknown, unknown>([
      [1, "a"],
      ["b", [2]],
    ]),
    new Uint8Array([0, 128, 255]),
    { deep: [new Uint8Array([1]), { set: new Set([new Uint8Array([2])]) }] },
  ])("carries value %# unchanged", (value) => {
    expect(roundTrip(value)).toStrictEqual(value);
  });

  it("keeps a tuple a tuple", () => {
    const tuple = Tuple.from([1, 2]);
    expect(roundTrip(tuple)).toBeInstanceOf(Tuple);
    expect([...(roundTrip(tuple) as Tuple)]).toEqual([1, 2]);
  });

  it("carries typed arrays with type and shape", () => {
    expect(roundTrip(new Float64Array([1, 2]))).toMatchObject({ $type: "array", dtype: "f8", shape: [2] });
  });

  it.each([
    { $type: "reference" },
    { $type: "reference", id: "x", type: "t", bytes: 1, head: "", tail: "" },
    { $type: "array", dtype: "u1", shape: [1], bytes: new Uint8Array([1]) },
    { $type: "reference", $: "reference", id: "x" },
    [{ deep: { $type: "array", dtype: "f8", shape: [], bytes: new Uint8Array(8) } }],
    { columns: [], $type: "table" },
  ])("takes an object that looks like one of its own for data (%#)", (value) => {
    const back = roundTrip(value);
    expect(back).toStrictEqual(value);
    expect(isReference(back) || isNumberArray(back)).toBe(false);
    expect(JSON.stringify(encodeValue(value).json)).not.toMatch(/"\$":"(reference|array|table)"/);
  });

  it("carries references and arrays that it has made itself, and nothing of them that does not belong", () => {
    const facts = { id: "_1", type: "list", bytes: 9, head: "[1", tail: "9]", artifact: "a/1", shape: [3] };
    const reference = createReference({ ...facts, more: () => 1 } as typeof facts);
    const back = roundTrip([reference, createNumberArray({ dtype: "i2", shape: [2, 1], bytes: new Uint8Array(4) })]);
    expect(back).toEqual([
      { $type: "reference", ...facts },
      { $type: "array", dtype: "i2", shape: [2, 1], bytes: new Uint8Array(4) },
    ]);
    expect((back as unknown[]).map((one) => [isReference(one), isNumberArray(one)])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it("tells frozen sets, maps of strings and tables from what they resemble", () => {
    const table = Table.make(
      [
        { name: "n", dtype: "int64" },
        { name: "t", dtype: "object" },
      ],
      [
        { n: 1, t: "a" },
        { n: 2, t: null },
      ],
    );
    expect(roundTrip(new FrozenSet([1]))).toBeInstanceOf(FrozenSet);
    expect(roundTrip(new Map([["a", 1]]))).toStrictEqual(new Map([["a", 1]]));
    expect(roundTrip(new Map())).toStrictEqual(new Map());
    const back = roundTrip(table) as Table;
    expect([...back]).toEqual([...table]);
    expect(back.columns).toEqual(table.columns);
    // A row that is no row of it any more makes it a list like any other.
    back[0] = { n: 1 };
    expect(roundTrip(back)).toStrictEqual([{ n: 1 }, { n: 2, t: null }]);
  });

  it.each([2 ** 53, 2 ** 60, -1e21, 1.7976931348623157e308])(
    "writes %d so that nobody reads another number",
    (value) => {
      expect(encodeValue(value).json).toMatchObject({ $: "float" });
      expect(roundTrip(value)).toBe(value);
    },
  );

  it.each([
    ["2024-01-01", 1704067200000],
    ["2024-01-01T02:00:00+02:00", 1704067200000],
    ["2024-01-01T01:00:00.123456+01:00[Europe/Berlin]", 1704067200123],
    ["1890-01-01T00:00:00+00:53:28", Date.parse("1889-12-31T23:06:32Z")],
    ["2024-01-01T00:00:00.000001Z", 1704067200000],
  ])("keeps the text of the date %s for as long as it is that date", (iso, time) => {
    const date = decodeValue({ $: "datetime", v: iso }) as Date;
    expect(date.getTime()).toBe(time);
    expect(encodeValue(date).json).toEqual({ $: "datetime", v: iso });
    date.setTime(0);
    expect(encodeValue(date).json).toEqual({ $: "datetime", v: "1970-01-01T00:00:00.000Z" });
  });

  it("keeps a member named __proto__ a member", () => {
    const value = JSON.parse('{"__proto__": {"polluted": [1]}, "a": 1}') as object;
    const back = roundTrip(value) as Record<string, unknown>;
    expect(Object.hasOwn(back, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    [{ rows: [1, { at: () => 1 }] }, "value/not-encodable", "$.rows[1].at"],
    [{ a: Symbol("x") }, "value/not-encodable", "$.a"],
    [[new Date(Number.NaN)], "value/not-encodable", "$[0]"],
    [new (class Account {})(), "value/not-encodable", "$"],
    [new Map([["k", new WeakMap()]]), "value/not-encodable", "$[k]"],
  ])("refuses what is no value, naming the path (%#)", (value, code, path) => {
    expect(() => encodeValue(value)).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining({ path }) }),
    );
  });

  it("refuses a cycle and names where it closes, but not a value that stands in two places", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = { again: cyclic };
    expect(() => encodeValue(cyclic)).toThrow(
      expect.objectContaining({ code: "value/cycle", details: { path: "$.self.again" } }),
    );
    const shared = [1];
    expect(roundTrip([shared, shared])).toEqual([[1], [1]]);
  });

  it("refuses nesting without end instead of overflowing the stack", () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 5000; depth++) value = [value];
    expect(() => encodeValue(value)).toThrow(expect.objectContaining({ code: "value/too-deep" }));
  });

  it.each([
    { $: "unknown" },
    { $: "int", v: "12x" },
    { $: "float", v: "pi" },
    { $: "bytes", p: 3 },
    { $: "bytes", p: "0" },
    { $: "datetime", v: "yesterday" },
    { $: "set", v: 1 },
    { $: "dict", v: [1] },
    { $: "array", dtype: "f8", shape: [2], p: 0 },
    { $: "array", dtype: "constructor", shape: [1], p: 0 },
    { $: "reference", v: null },
    { $: "reference", v: { id: "x" } },
    { $: "float", v: "1" },
    { $: "datetime", v: "2024-01-01T00:00:00Z; alert" },
    { $: "table", rows: 1, columns: [] },
    { $: "table", rows: -1, columns: [] },
    { $: "table", rows: 2, columns: [{ name: "a", dtype: "object", v: [1] }] },
    { $: "table", rows: 2, columns: [{ name: "a", dtype: "int64", code: "i8", p: 0 }] },
    { $: "map", v: [1] },
  ])("refuses the malformed %j", (json) => {
    expect(() => decodeValue(json, [new Uint8Array(8)])).toThrow(expect.objectContaining({ code: "value/malformed" }));
  });

  it("has a readable JSON form for what JSON lacks", () => {
    const value = {
      n: 2n ** 70n,
      b: new Uint8Array([1]),
      f: Number.NaN,
      d: new Date(0),
      s: new Set([1]),
      m: new Map([[1, 2]]),
    };
    expect(valueToJson(value)).toEqual({
      n: { $int: "1180591620717411303424" },
      b: { $bytes: "AQ==" },
      f: { $float: "NaN" },
      d: { $date: "1970-01-01T00:00:00.000Z" },
      s: { $set: [1] },
      m: { $map: [[1, 2]] },
    });
  });
});

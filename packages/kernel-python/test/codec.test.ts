import { createReference, FrozenSet, isNumberArray, isReference, Tuple, type Value } from "@artificer/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScriptedHost } from "./support/scripted-host.js";

describe("the value codec in Python", () => {
  let host: ScriptedHost;
  let sent: unknown;
  beforeAll(async () => {
    host = await ScriptedHost.start({ handlers: { "tools.call": ({ args }) => (args === undefined ? null : sent) } });
  });
  afterAll(() => host.close());

  /** What the host sends, as Python writes it, and as it comes back. */
  async function there(value: unknown): Promise<{ repr: string | undefined; back: unknown }> {
    sent = value;
    const { repr, value: back } = await host.run("tools.web.any_thing()");
    return { repr, back };
  }

  it.each<[string, Value, string]>([
    ["a fraction", 1.5, "1.5"],
    ["an integer", -7, "-7"],
    ["a big integer", 2n ** 80n, "1208925819614629174706176"],
    ["NaN", Number.NaN, "nan"],
    ["infinities", [Infinity, -Infinity], "[inf, -inf]"],
    ["negative zero", -0, "-0.0"],
    ["text beyond ASCII", "é\u{1f600}\n\0", "'é😀\\n\\x00'"],
    ["a lone surrogate", "\ud800", "'\\ud800'"],
    ["a tuple", Tuple.from<Value>([1, Tuple.from<Value>([2])]), "(1, (2,))"],
    ["a set", new Set([1]), "{1}"],
    [
      "a map",
      new Map<Value, Value>([
        [1, "a"],
        [null, [2]],
      ]),
      "{1: 'a', None: [2]}",
    ],
    ["an object with a key $", { $: "int", v: "1" }, "{'$': 'int', 'v': '1'}"],
    ["an object with __proto__", JSON.parse('{"__proto__": {"a": 1}}') as Value, "{'__proto__': {'a': 1}}"],
    ["nesting", { a: [{ b: new Set(["x"]) }] }, "{'a': [{'b': {'x'}}]}"],
  ])("carries %s to Python and back unchanged", async (_name, value, repr) => {
    const result = await there(value);
    expect(result.repr).toBe(repr);
    expect(result.back).toEqual(value);
    expect(result.back instanceof Tuple).toBe(value instanceof Tuple);
  });

  it("carries bytes beside the header, many and large ones", async () => {
    const large = new Uint8Array(3_000_000).map((_, index) => index % 251);
    const value = {
      large,
      small: Array.from({ length: 1200 }, (_, n) => new Uint8Array([n % 256])),
      empty: new Uint8Array(),
    };
    sent = value;
    const { value: back } = await host.run("got = tools.web.any_thing()\ngot");
    expect(Buffer.compare((back as typeof value).large, large)).toBe(0);
    expect((back as typeof value).small).toHaveLength(1200);
    expect(
      (await host.run("type(got['large']).__name__, len(got['large']), got['small'][7], got['empty']")).value,
    ).toEqual(["bytes", 3_000_000, new Uint8Array([7]), new Uint8Array(0)]);
  });

  it("carries instants, as aware datetimes in UTC", async () => {
    const at = new Date("2024-05-06T07:08:09.123Z");
    expect((await there(at)).back).toEqual(at);
    expect((await host.run("d = tools.web.any_thing()\nd.isoformat()")).value).toBe("2024-05-06T07:08:09.123000+00:00");
    expect(
      (await host.run("import datetime as dt\ndt.datetime(2024, 1, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=2)))"))
        .value,
    ).toEqual(new Date("2024-01-01T00:00:00Z"));
    expect((await host.run("dt.date(2024, 1, 2)")).value).toEqual(new Date("2024-01-02"));
  });

  it("carries typed arrays as arrays, with their shape", async () => {
    expect((await there(new Float64Array([1.5, -2]))).back).toMatchObject({ $type: "array", dtype: "f8", shape: [2] });
    expect((await host.run("a = tools.web.any_thing()\ntype(a).__name__, list(a)")).value).toEqual([
      "array",
      [1.5, -2],
    ]);
    expect((await host.run("memoryview(bytes(range(24))).cast('i', (2, 3))")).value).toMatchObject({
      dtype: "i4",
      shape: [2, 3],
    });
    expect((await host.run("bytearray(b'ab'), memoryview(b'cd')")).value).toEqual([
      new Uint8Array([97, 98]),
      new Uint8Array([99, 100]),
    ]);
  });

  it("carries references, which keep standing for what they stand for", async () => {
    const reference = createReference({ id: "r1", type: "list", bytes: 9, head: "[1", tail: "9]", artifact: "a/1" });
    expect((await there(reference)).back).toEqual(reference);
    expect((await host.run("tools.web.any_thing().artifact")).value).toBe("a/1");
  });

  it.each([
    { $type: "reference", id: "r1", type: "list", bytes: 9, head: "[1", tail: "9]", artifact: "a/1" },
    { $type: "array", dtype: "u1", shape: [1], bytes: new Uint8Array([1]) },
    { $: "reference", v: { id: "r1" } },
  ])("takes what only looks like one of its own for a dict (%#)", async (forged) => {
    const { back } = await there(forged);
    expect(back).toEqual(forged);
    expect(isReference(back) || isNumberArray(back)).toBe(false);
    expect((await host.run("type(tools.web.any_thing()).__name__")).value).toBe("dict");
  });

  it.each<[string, Value, string]>([
    ["a set of lists", new Set([[1]]), "$" + "{0}"],
    [
      "keys that are one key",
      {
        m: new Map<Value, Value>([
          [1, 2],
          [true, 3],
        ]),
      },
      "$.m",
    ],
    ["a date beyond its years", [new Date(8.64e15)], "$[0]"],
  ])("refuses %s, which has no equal in Python, with the path", async (_name, value, path) => {
    sent = value;
    const code =
      "try: tools.web.any_thing()\nexcept Exception as error: told = (error.code, error.details['path'])\ntold";
    expect((await host.run(code)).value).toEqual(["value/no-equal", path]);
  });

  it.each([
    [
      "subclasses as what they are",
      "import collections, enum\nclass I(enum.IntEnum):\n    A = 3\n[I.A, collections.OrderedDict(a=1), collections.Counter('aa'), type('L', (list,), {})([1])]",
      [3, { a: 1 }, { a: 2 }, [1]],
    ],
    ["the edge of safe integers", "[2**53 - 1, 2**53, -2**53]", [2 ** 53 - 1, 2n ** 53n, -(2n ** 53n)]],
    [
      "many of a kind",
      "[list(range(3)), [0.5] * 3, ['a'] * 3, [None, True, 'x'], [1, 2.5]]",
      [
        [0, 1, 2],
        [0.5, 0.5, 0.5],
        ["a", "a", "a"],
        [null, true, "x"],
        [1, 2.5],
      ],
    ],
    ["an unsafe integer among many", "[1, 2**60]", [1, 2n ** 60n]],
    ["one infinity among many", "[1.0, float('inf')]", [1, Number.POSITIVE_INFINITY]],
    ["a named tuple", "collections.namedtuple('N', 'a b')(1, 2)", [1, 2]],
    ["a frozen set in a set", "{frozenset({1})}", new Set([new FrozenSet([1])])],
    ["the same list twice", "x = [1]\n[x, x]", [[1], [1]]],
  ])("encodes %s", async (_name, code, value) => {
    expect((await host.run(code)).value).toEqual(value);
  });

  it.each([
    ["{'a': {1: [object()]}}", "$.a[1][0]"],
    ["{(1, object()): 2}", "$<key 0>[1]"],
    ["[1, {object()}]", "$[1]{0}"],
    ["1j", "$"],
  ])("names the path of what can't cross in %s", async (code, path) => {
    expect((await host.run(code)).valueProblem).toMatchObject({ code: "value/not-encodable", path });
  });
});

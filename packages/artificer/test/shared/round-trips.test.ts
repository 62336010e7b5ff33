import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Language, Session } from "../../src/index.js";
import { pythonRefusals, pythonValues } from "./python-values.js";
import { typescriptRefusals, typescriptValues } from "./typescript-values.js";

/** What became of a value: `unchanged`, what it came back as, or the error that refused it, with its path. */
type Fates = Record<string, string>;

const python = {
  begin: `
import array, datetime as dt, math
cycle = []
cycle.append(cycle)
deep = []
for _ in range(500): deep = [deep]
def same(a, b):
    if isinstance(a, float):
        # A float without a fraction is a whole number to TypeScript.
        return type(b) in (float, int) and (a == b or a != a and b != b) and (a or math.copysign(1, a) == math.copysign(1, b))
    if type(a) is not type(b): return False
    if isinstance(a, (list, tuple, array.array)): return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict): return len(a) == len(b) and all(k in b and same(v, b[k]) for k, v in a.items())
    if isinstance(a, dt.datetime): return a == b and a.utcoffset() == b.utcoffset()
    return a == b
def told(error): return "%s %s" % (error.code, error.details.get("path"))
made, fates = {}, {}`,
  make: (expression: string, name: string) =>
    `try:\n    made["${name}"] = ${expression}\n    share("${name}", made["${name}"])\nexcept Exception as error: fates["${name}"] = told(error)`,
  pass: (name: string) =>
    `try: share("${name}", take("${name}"))\nexcept Exception as error: fates["${name}"] = told(error)`,
  compare: `
for name in made:
    if name not in fates and name in shared:
        back = take(name)
        fates[name] = "unchanged" if same(made[name], back) else repr(back)
fates`,
  fates: "fates",
};

const typescript = {
  begin: `
import { isDeepStrictEqual, inspect } from "node:util";
const cycle: Record<string, unknown> = {}; cycle.self = cycle;
let deep: unknown = []; for (let n = 0; n < 500; n++) deep = [deep];
const told = (error: any) => error.code + " " + error.details?.path;
const made: Record<string, unknown> = {}, fates: Record<string, string> = {};`,
  make: (expression: string, name: string) =>
    `try { made.${name} = ${expression}; await share("${name}", made.${name}); } catch (error) { fates.${name} = told(error); }`,
  pass: (name: string) =>
    `try { await share("${name}", await take("${name}")); } catch (error) { fates.${name} = told(error); }`,
  compare: `
for (const name of Object.keys(made)) {
  if (name in fates || !(name in shared)) continue;
  const back = await take(name);
  fates[name] = isDeepStrictEqual(made[name], back) ? "unchanged" : inspect(back);
}
fates`,
  fates: "fates",
};

/** Makes every value in one language, has the other take it and share it again, and compares what comes back. */
async function roundTrip(from: Language, expressions: readonly string[]): Promise<Fates> {
  const [here, there] = from === "python" ? [python, typescript] : [typescript, python];
  const other: Language = from === "python" ? "typescript" : "python";
  const session = new Session({ embedder: null });
  const run = async (code: string, language: Language) => {
    const outcome = await session.run(code, { language });
    expect(outcome.error).toBeUndefined();
    return outcome.value as Fates;
  };
  try {
    const name = (index: number) => `v${index}`;
    await run([here.begin, ...expressions.map((one, index) => here.make(one, name(index)))].join("\n"), from);
    const crossing = (await session.listShared()).map(({ name: one }) => one);
    await run([there.begin, ...crossing.map((one) => there.pass(one))].join("\n"), other);
    const refused = await run(there.fates, other);
    const fates = { ...(await run(here.compare, from)), ...refused };
    return Object.fromEntries(expressions.map((one, index) => [one, fates[name(index)] ?? "lost"]));
  } finally {
    await session.close();
  }
}

describe.each([
  ["python", "typescript", pythonValues, pythonRefusals],
  ["typescript", "python", typescriptValues, typescriptRefusals],
] as const)("a value that goes from %s to %s and back", (from, _other, values, refusals) => {
  let fates: Fates;
  beforeAll(async () => {
    fates = await roundTrip(from, [...values, ...refusals.map(([expression]) => expression)]);
  });

  it("is tried more than two hundred times, each a value of its own", () => {
    expect(new Set(values).size).toBe(values.length);
    expect(values.length).toBeGreaterThan(200);
  });

  it.each(values)("%s is unchanged", (expression) => {
    expect(fates[expression]).toBe("unchanged");
  });

  it.each(refusals)("%s is refused at %s", (expression, path) => {
    const [, code, at] = /^(\S+) (.*)$/.exec(fates[expression]!) ?? [];
    expect(code).toMatch(/^value\/(not-encodable|no-equal|cycle|too-deep)$/);
    expect(at!.startsWith(path)).toBe(true);
    if (!path.endsWith("{") && !path.startsWith("$[0][0][0]")) expect(at).toBe(path);
  });
});

describe("what a value is on the other side", () => {
  let session: Session;
  beforeAll(() => {
    session = new Session({ embedder: null });
  });
  afterAll(() => session.close());

  it("in TypeScript: dates, maps, sets, typed arrays of a shape, big integers only where they must be", async () => {
    await session.run(`
import datetime as dt, array
share("all", [dt.datetime(2024, 1, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=2))), {1: 2}, {3}, array.array("d", [1.5]),
    memoryview(bytes(range(24))).cast("i", (2, 3)), 2**60, 7, array.array("B", b"ab"), (1, 2), bytearray(b"x")])`);
    const { value } = await session.run(
      `const [at, map, set, row, grid, big, small, octets, pair, bytes] = await shared.all;
[at.toISOString(), at.iso, map.get(1), set.has(3), row instanceof Float64Array, grid instanceof Int32Array, grid.shape, typeof big,
 typeof small, octets.shape, Array.isArray(pair), bytes.shape === undefined]`,
      { language: "typescript" },
    );
    expect(value).toEqual([
      "2024-01-01T00:00:00.000Z",
      "2024-01-01T02:00:00+02:00",
      2,
      true,
      true,
      true,
      [2, 3],
      "bigint",
      "number",
      [2],
      true,
      true,
    ]);
  });

  it("in Python: datetimes, dicts, sets, arrays, ints", async () => {
    await session.run(
      "await share('all', [new Date(5), new Map([['a', 1]]), new Set([1]), new Float32Array([1.5]), 5n, undefined, { a: undefined }])",
      { language: "typescript" },
    );
    const { value } = await session.run(`
at, pairs, some, row, five, nothing, empty = shared.all
[at.isoformat(), pairs == {"a": 1}, isinstance(pairs, dict), some, row.typecode, five + 1, isinstance(five, int), nothing, empty]`);
    expect(value).toEqual(["1970-01-01T00:00:00.005000+00:00", true, true, new Set([1]), "f", 6, true, null, {}]);
  });

  it("in a zone of a name: still in it when it comes back, summer and winter", async (context) => {
    const zoned = await session.run(`
from zoneinfo import ZoneInfo
zone = ZoneInfo("Europe/Berlin")
given = [dt.datetime(2024, 1, 2, 3, tzinfo=zone), dt.datetime(2024, 7, 2, 3, tzinfo=zone), dt.datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=zone)]
share("given", given)`);
    context.skip(zoned.error !== undefined, "this machine's Python knows no zones");
    const passed = await session.run(
      "const given = await shared.given; await share('back', given); given.map((at) => at.toISOString())",
      {
        language: "typescript",
      },
    );
    expect(passed.value).toEqual(["2024-01-02T02:00:00.000Z", "2024-07-02T01:00:00.000Z", "2024-10-27T01:30:00.000Z"]);
    const back = await session.run(
      "[(at.tzinfo.key, at.isoformat(), at.fold) for at in take('back')] == [(at.tzinfo.key, at.isoformat(), at.fold) for at in given]",
    );
    expect(back.value).toBe(true);
  });

  it("is a copy: what one cell does to it, no other sees", async () => {
    await session.run("rows = [[1]]\nshare('rows', rows)\nrows.append(2)\ntake('rows').append(3)");
    const code = "const rows = await shared.rows; rows.push(4); [rows.length, (await shared.rows).length]";
    expect((await session.run(code, { language: "typescript" })).value).toEqual([2, 1]);
    const bytes = new Uint8Array([1]);
    await session.share("bytes", bytes);
    bytes[0] = 2;
    ((await session.take("bytes")) as Uint8Array)[0] = 3;
    expect(await session.take("bytes")).toEqual(new Uint8Array([1]));
  });
});

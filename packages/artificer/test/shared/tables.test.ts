import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Table } from "@artificer/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Session } from "../../src/index.js";

const run = promisify(execFile);

/** An interpreter that has the library; undefined, with the reason printed, where none of the usual ones has it. */
async function pythonWith(library: string): Promise<string | undefined> {
  const candidates = ["python3", "/usr/bin/python3", "/usr/local/bin/python3"];
  for (const path of candidates) {
    const code = `import ${library}, sys; print(sys.executable)`;
    const found = await run(path, ["-c", code]).catch(() => undefined);
    if (found !== undefined) return found.stdout.trim();
  }
  return undefined;
}

const withPandas = await pythonWith("pandas");
const withNumpy = await pythonWith("numpy");
const noPandas = "none of the usual interpreters has pandas";
const noNumpy = "none of the usual interpreters has numpy";

/** Frames that come back from TypeScript as what they were, column types included. */
const frames = [
  "pd.DataFrame({'id': [1, 2, 2**60], 'share': [0.5, 1.0, float('nan')], 'name': ['a', None, 'ü']})",
  "pd.DataFrame({'ok': [True, False], 'small': np.array([1, 2], 'int8'), 'wide': np.array([2**64 - 1, 0], 'uint64')})",
  "pd.DataFrame({'at': pd.to_datetime(['2024-01-02 03:04:05.000006', None])})",
  "pd.DataFrame({'at': pd.to_datetime(['2024-01-02', '2024-07-02']).tz_localize('UTC')})",
  "pd.DataFrame({'at': pd.to_datetime(['2024-01-02', '2024-07-02']).tz_localize('Europe/Berlin')})",
  "pd.DataFrame({'kind': pd.Series(['a', 'b', 'a'], dtype='category'), 'n': pd.Series([1, None, 3], dtype='Int64')})",
  "pd.DataFrame({'text': pd.Series(['a', None], dtype='string'), 'f': np.array([1.5, 2.5], 'float32')})",
  "pd.DataFrame({'nested': [[1, 2], {'a': 1}], 'mixed': [1, 'a']})",
  "pd.DataFrame({'a': []})",
  "pd.DataFrame()",
  "pd.DataFrame({'with space': [1], '$': [2], '__proto__': [3]})",
];

const refused = [
  ["pd.DataFrame({'a': [1, 2, 3]})[lambda df: df.a > 1]", "index", "$"],
  ["[pd.DataFrame({'a': [1]}, index=['x'])]", "index", "$[0]"],
  ["pd.DataFrame([[1, 2]], columns=['a', 'a'])", "column names", "$"],
  ["pd.DataFrame([[1, 2]])", "column names", "$"],
  ["pd.DataFrame({'t': pd.to_timedelta(['1 day'])})", "Timedelta", "$.t[0]"],
  ["pd.DataFrame({'o': [object()]})", "object", "$.o[0]"],
  ["pd.DataFrame({'c': pd.Categorical(['a'], categories=['b', 'a'], ordered=True)})", "ategories", "$.c"],
  ["pd.Timestamp('2024-01-01 00:00:00.000000001')", "nanoseconds", "$"],
] as const;

describe("a table", () => {
  let session: Session;
  beforeAll(() => {
    session = new Session({
      embedder: null,
      ...(withPandas === undefined ? {} : { interpreters: { python: withPandas } }),
    });
  });
  afterAll(() => session.close());

  it.for(frames)("%s goes to TypeScript as records and comes back as it was", async (frame, context) => {
    context.skip(withPandas === undefined, noPandas);
    const made = await session.run(`import pandas as pd, numpy as np\ndf = ${frame}\nshare("df", df)\nlen(df)`);
    expect(made.error).toBeUndefined();
    const rows = await session.run(
      "const rows = await shared.df; await share('back', rows); [Array.isArray(rows), rows.length]",
      {
        language: "typescript",
      },
    );
    expect(rows).toMatchObject({ status: "completed", value: [true, made.value] });
    const back = await session.run(
      "back = take('back')\npd.testing.assert_frame_equal(df, back, check_column_type=False)\nlist(df.columns) == list(back.columns)",
    );
    expect(back).toMatchObject({ status: "completed", value: true });
  });

  it.for(refused)("%s is refused, saying %s, at %s", async ([frame, words, path], context) => {
    context.skip(withPandas === undefined, noPandas);
    const { value } = await session.run(
      `import pandas as pd, numpy as np\ntry: share("df", ${frame})\nexcept Exception as error: told = (str(error), error.details["path"])\ntold`,
    );
    expect(value).toEqual([expect.stringContaining(words), path]);
  });

  it("is made of records from TypeScript when that is asked for", async (context) => {
    context.skip(withPandas === undefined, noPandas);
    await session.run("await share('records', [{ a: 1, b: 'x' }, { a: 2, b: null }])", { language: "typescript" });
    const { value } = await session.run(
      "df = take('records', table=True)\n(type(df).__name__, df.shape, int(df.a.sum()), type(take('records')).__name__)",
    );
    expect(value).toEqual(["DataFrame", [2, 2], 3, "list"]);
  });

  it("that a TypeScript cell has changed comes back with the change, or as records when it is no table any more", async (context) => {
    context.skip(withPandas === undefined, noPandas);
    await session.run("import pandas as pd\nshare('df', pd.DataFrame({'n': [1, 2], 't': ['a', 'b']}))");
    const code = `const df = await shared.df; df[0].n = 5; df[1].t = null; await share("changed", df);
await share("more", df.map((row) => ({ ...row, extra: true }))); df[0].extra = 1; await share("ragged", df);`;
    expect((await session.run(code, { language: "typescript" })).error).toBeUndefined();
    const { value } = await session.run(
      "c = take('changed')\n(str(c.n.dtype), list(c.n), list(c.t), take('more')[1], [len(r) for r in take('ragged')])",
    );
    expect(value).toEqual(["int64", [5, 2], ["a", null], { n: 2, t: null, extra: true }, [3, 2]]);
  });

  it("is an outcome's value, as records", async (context) => {
    context.skip(withPandas === undefined, noPandas);
    const { value } = await session.run("import pandas as pd\npd.DataFrame({'n': [1, 2], 't': ['a', None]})");
    expect(value).toEqual([
      { n: 1, t: "a" },
      { n: 2, t: null },
    ]);
  });

  it("is a list of records where there is no pandas", async () => {
    const plain = new Session({ embedder: null });
    try {
      // A finder that knows no pandas, whatever the machine has.
      await plain.run("import sys\nsys.modules['pandas'] = None");
      await plain.share(
        "df",
        Table.make(
          [
            { name: "n", dtype: "int64" },
            { name: "t", dtype: "object" },
          ],
          [{ n: 1, t: "a" }],
        ),
      );
      expect((await plain.run("take('df')")).value).toEqual([{ n: 1, t: "a" }]);
      expect((await plain.run("take('df', table=True)")).error?.type).toMatch(/ImportError|ModuleNotFoundError/);
    } finally {
      await plain.close();
    }
  });
});

const arrays = [
  "np.arange(6, dtype='int32').reshape(2, 3)",
  "np.array([1.5, np.nan])",
  "np.array([0, 255], dtype='uint8')",
  "np.array([[2**63 - 1]], dtype='int64')",
  "np.zeros((0, 3), dtype='float32')",
  "np.array(7.5)",
  "np.arange(6, dtype='>i2')",
  "np.arange(12)[::2]",
  "[{'x': np.ones((2, 2, 2), dtype='uint16')}]",
];

describe("a numpy array", () => {
  let session: Session;
  beforeAll(() => {
    session = new Session({
      embedder: null,
      ...(withNumpy === undefined ? {} : { interpreters: { python: withNumpy } }),
    });
  });
  afterAll(() => session.close());

  it.for(arrays)("%s goes to TypeScript and comes back with its type, shape and numbers", async (array, context) => {
    context.skip(withNumpy === undefined, noNumpy);
    await session.run(`import numpy as np\na = ${array}\nshare("a", a)`);
    const passed = await session.run("await share('back', await shared.a)", { language: "typescript" });
    expect(passed.error).toBeUndefined();
    const { value } = await session.run(`
def same(a, b):
    if isinstance(a, list): return all(map(same, a, b))
    if isinstance(a, dict): return all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and a.shape == b.shape and a.dtype.newbyteorder("=") == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
same(a, take("back"))`);
    expect(value).toBe(true);
  });

  it.for([
    ["np.array([1j])", "$"],
    ["[np.array([object()])]", "$[0]"],
    ["np.array(['2024'], dtype='datetime64[s]')", "$"],
    ["{'m': np.ma.masked_array([1], [True])}", "$.m"],
    ["np.longdouble(1)", "$"],
    ["np.float16([1])", "$"],
  ] as const)("%s is refused at %s", async ([expression, path], context) => {
    context.skip(withNumpy === undefined, noNumpy);
    const code = `import numpy as np\ntry: share("a", ${expression})\nexcept Exception as error: told = (error.code, error.details["path"])\ntold`;
    expect((await session.run(code)).value).toEqual(["value/not-encodable", path]);
  });
});

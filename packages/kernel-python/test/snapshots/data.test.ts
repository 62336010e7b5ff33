import { describe, expect, it } from "vitest";
import { SnapshotStore } from "../support/snapshot-store.js";
import { useSnapshotKernels } from "../support/use-snapshot-kernels.js";

const { start, folder } = useSnapshotKernels();
const data = { format: "data" };

/** Runs cells, moves what is plain data into another kernel, and gives that. */
async function moved(...cells: string[]) {
  const first = await start();
  for (const cell of cells) expect((await first.run(cell)).error).toBeUndefined();
  const store = new SnapshotStore();
  const saved = await store.save(first, data);
  const second = await start();
  const restored = await store.restore(second, data);
  const reasons = Object.fromEntries(saved.skipped.map(({ name, reason }) => [name, reason]));
  return { first, second, store, saved, restored, reasons };
}

describe("a snapshot as data [Y5-8]", () => {
  it("brings back plain values as they were, of the same kinds, and names of one object as names of one", async () => {
    const values = [
      "[None, True, False, 0, -1, 2**70, -2**53 - 1, 1.0, -0.0, 1e308, float('inf'), '', 'é\\n\\ud800', b'', bytes(range(256))]",
      "{'a': [1, (2, ()), {3}, frozenset({4, 'x'})], (1, 'k'): {'$': 'not a tag'}, 5: {}, None: [[]], 'p': b'\\0'}",
      "[datetime.date(2020, 2, 29), datetime.datetime(1, 1, 1), datetime.datetime(2024, 5, 6, 7, 8, 9, 10, datetime.timezone.utc)]",
      "list(range(1000)) + [n / 7 for n in range(1000)]",
    ];
    const { second, restored, reasons } = await moved(
      `import datetime\nvalues = [${values.join(", ")}]\nagain = values\nnan = float('nan')`,
    );
    expect(reasons).toEqual({});
    expect(restored.failed).toEqual([]);
    const exact =
      "def shape(v):\n    t = type(v).__name__\n    if t in ('list', 'tuple'): return t, [shape(i) for i in v]\n    if t in ('set', 'frozenset'): return t, sorted(map(repr, v))\n    if t == 'dict': return t, [(shape(k), shape(i)) for k, i in v.items()]\n    return t, repr(v)\n";
    await second.run(`${exact}expected = [${values.join(", ")}]`);
    expect((await second.run("shape(values) == shape(expected), again is values, nan != nan")).value).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("keeps definitions, imports, tools and the place, as source and names", async () => {
    const { second, restored, reasons } = await moved(
      "import os, math as m\nLIMIT = [5]\ndef area(r, n=LIMIT):\n    return m.pi * r, n\nclass Box:\n    def put(self, x): self.x = x\nfetch = tools.web.get",
      "area.calls = [1, 2]\nos.environ['ADDED'] = 'yes'",
    );
    expect([reasons, restored.failed]).toEqual([{}, []]);
    const read = "m.floor(area(1)[0]), area(1)[1], area.calls, Box.__name__, os.environ['ADDED'], type(fetch).__name__";
    expect((await second.run(read)).value).toEqual([3, [5], [1, 2], "Box", "yes", "Tool"]);
  });

  it("leaves out by name whatever is no plain data, or would come back as something else, and runs no code of it", async () => {
    const { first, restored, reasons, second } = await moved(
      [
        "import collections, datetime, threading",
        "ran = []",
        "class Own:",
        "    def __reduce__(self): ran.append('reduce'); return str, ('x',)",
        "    def __iter__(self): ran.append('iter'); return iter(())",
        "class Meta(type):",
        "    def __getattribute__(cls, name): ran.append(name); return type.__getattribute__(cls, name)",
        "class Dict(dict): pass",
        "class Zone(datetime.tzinfo):",
        "    def utcoffset(self, when): return datetime.timedelta(hours=1)",
        "own, meta, subclass = Own(), Meta('M', (), {})(), Dict(a=1)",
        "ordered, growing, lock = collections.OrderedDict(a=1), bytearray(b'x'), threading.Lock()",
        "zoned = datetime.datetime(2020, 1, 1, tzinfo=Zone())",
        "shared = [1]",
        "left, right = [shared], {'of': shared}",
        "loop = []; loop.append(loop)",
        "deep = []",
        "for _ in range(1000): deep = [deep]",
        "fine = [1]",
      ].join("\n"),
    );
    expect(reasons).toEqual({
      own: "it holds a Own, which is no plain data",
      meta: "it holds a M, which is no plain data",
      subclass: "it holds a Dict, which is no plain data",
      ordered: "it holds a OrderedDict, which is no plain data",
      growing: "it holds a bytearray, which is no plain data",
      lock: "it holds a lock, which is no plain data",
      zoned: "it holds a datetime that would not come back as it is",
      shared: expect.stringContaining("shares a list"),
      left: expect.stringContaining("shares a list"),
      right: expect.stringContaining("shares a list"),
      loop: expect.stringContaining("shares a list"),
      deep: expect.stringContaining("nested"),
    });
    expect(restored.restored).toEqual(expect.arrayContaining(["fine", "ran", "Own"]));
    expect((await first.run("[what for what in ran if what in ('reduce', 'iter')]")).value).toEqual([]);
    expect((await second.run("fine")).value).toEqual([1]);
  });

  it("keeps numeric arrays and tables where the interpreter has them", async (context) => {
    const first = await start();
    const found = await first.run("import importlib.util as u\n[bool(u.find_spec(n)) for n in ('numpy', 'pandas')]");
    const [numpy, pandas] = found.value as boolean[];
    context.skip(!numpy, "this interpreter has no numpy");
    await first.run(
      "import numpy as np\na = np.arange(12, dtype='<i4').reshape(3, 4)\nb = np.array(['x'], dtype=object)\nc = np.zeros((0, 2))",
    );
    if (pandas) await first.run("import pandas as pd\nt = pd.DataFrame({'n': [1, 2], 's': ['a', 'b']})");
    const store = new SnapshotStore();
    const saved = await store.save(first, data);
    expect(saved.skipped.map(({ name }) => name)).toEqual(["b"]);
    const second = await start();
    await store.restore(second, data);
    const read = "a.tolist(), str(a.dtype), c.shape";
    expect((await second.run(read)).value).toEqual((await first.run(read)).value);
    if (pandas) expect((await second.run("t.to_dict('list')")).value).toEqual({ n: [1, 2], s: ["a", "b"] });
  });

  it("costs what changed, and bytes that were touched and left as they were are not sent again", async () => {
    const { first, store } = await moved("big = list(range(100_000))\nsmall = [1]");
    await first.run("small.append(2)");
    const second = await store.save(first, data);
    expect(second.cost).toMatchObject({ variables: 2, examined: 1 });
    expect(second.groups.filter(({ data }) => data !== undefined).map(({ names }) => names)).toEqual([["small"]]);
    await first.run("small.append(3); small.pop()");
    expect((await store.save(first, data)).groups.every(({ data }) => data === undefined)).toBe(true);
  });
});

describe("a kernel that takes nothing but data [Y5-8]", () => {
  it("unpickles nothing: neither a variable nor the facts, whoever signed them", async () => {
    const cwd = await folder();
    const first = await start({ cwd });
    await first.run(
      "import os\nclass Evil:\n    def __reduce__(self): return os.mkdir, ('unpickled',)\nevil = Evil()\nplain = [1]\ndef f(): pass",
    );
    const store = new SnapshotStore();
    await store.save(first);
    const second = await start({ cwd });
    const { restored, failed } = await store.restore(second, data);
    expect(restored).toEqual([]);
    const reason = expect.stringContaining("unpickles nothing");
    expect(failed).toHaveLength(3);
    expect(failed).toEqual(
      expect.arrayContaining([
        { name: "evil", reason },
        { name: "plain", reason },
        { name: expect.stringContaining("imported and defined"), reason },
      ]),
    );
    expect((await second.run("import os\nos.path.exists('unpickled')")).value).toBe(false);
  });

  it("and one that takes pickles reads data too", async () => {
    const { store } = await moved("x = [1]\ndef f(): return x");
    const third = await start();
    expect((await store.restore(third)).failed).toEqual([]);
    expect((await third.run("f() is x, x")).value).toEqual([true, [1]]);
  });
});

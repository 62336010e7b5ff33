import { describe, expect, it } from "vitest";
import { pythons } from "../support/pythons.js";
import { useSnapshotKernels } from "../support/use-snapshot-kernels.js";

const { start, folder, moved } = useSnapshotKernels();

describe("a kernel restored from a snapshot [A7]", () => {
  it("has plain values, modules, functions, classes and instances again", async () => {
    const { restored, value } = await moved([
      "import math, os.path, xml.etree.ElementTree as ET\nfrom collections import namedtuple, OrderedDict\nfrom dataclasses import dataclass",
      "x = 1\ns = 'text'\nd = {'a': [1, 2, {3}], (1, 2): b'bytes'}\nbig = 10**40",
      "FACTOR = 3\ndef scale(n):\n    return n * FACTOR\nasync def later(n):\n    return scale(n)\ntwice = lambda n: n * 2",
      "@dataclass\nclass Point:\n    x: int\n    y: int = FACTOR\n    def total(self):\n        return self.x + scale(self.y)\nPair = namedtuple('Pair', 'left right')",
      "p = Point(1)\npair = Pair(p, [p])\nclass Sub(Point):\n    pass\nsub = Sub(5, 6)",
    ]);
    expect(restored.failed).toEqual([]);
    expect(await value("x, s, d, big, math.pi > 3, ET.fromstring('<a/>').tag, os.path.basename('/a/b')")).toEqual(
      expect.arrayContaining([1, "text", 10n ** 40n, true, "a", "b"]),
    );
    expect(await value("scale(2), await later(3), twice(4), p.total(), pair.left is p, pair.right[0] is p")).toEqual([
      6,
      9,
      8,
      10,
      true,
      true,
    ]);
    expect(await value("type(p) is Point and type(pair) is Pair and isinstance(sub, Point) and sub.total()")).toBe(23);
    // A function sees the namespace itself, no copy of it.
    expect(await value("FACTOR = 10\nscale(2)")).toBe(20);
  });

  it("keeps aliases between variables and objects shared by several", async () => {
    const { value, saved } = await moved([
      "a = [1]\nb = a\nshared = {'k': 1}\nleft = {'s': shared}\nright = [shared, [shared]]\nloop = []\nloop.append(loop)",
      "class Node:\n    def __init__(self, up): self.up = up\nroot = Node(None)\nleaf = Node(root)\nappend = a.append",
    ]);
    expect(saved.groups.map(({ names }) => names.join())).toContain("a,b,append");
    expect(await value("b.append(2)\nappend(3)\na, a is b")).toEqual([[1, 2, 3], true]);
    expect(await value("left['s'] is shared, right[0] is shared, right[1][0] is shared, loop[0] is loop")).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await value("leaf.up is root, type(leaf) is Node")).toEqual([true, true]);
  });

  it("replays definitions in order, with decorators, defaults and bases that need other names", async () => {
    const { value, restored } = await moved([
      "import functools\nLIMIT = [5]\nregistry = {}\ndef register(f):\n    registry[f.__name__] = f\n    return f",
      "@register\ndef one(n=LIMIT): return n\n@functools.lru_cache\ndef cached(n): return n + 1\ndef wrap(f):\n    @functools.wraps(f)\n    def inner(*a): return ['wrapped', f(*a)]\n    return inner",
      "@wrap\ndef two(n): return n * 2\nclass Base:\n    kind = LIMIT\n    def m(self): return 'base'\nclass Child(Base):\n    def m(self): return super().m() + '+child'",
      "def one_again(): return registry['one']()\ncached(1)\nasync def co(): return await inner_co()\nasync def inner_co(): return 7",
      "def over(): return 1",
      "def over(): return 2",
    ]);
    expect(restored.failed).toEqual([]);
    expect(await value("one(), one_again(), registry['one'] is one, cached(4), two(3), Child().m(), over()")).toEqual([
      [5],
      [5],
      true,
      5,
      ["wrapped", 6],
      "base+child",
      2,
    ]);
    expect(await value("await co()")).toBe(7);
  });

  it("keeps what cells set on classes and functions after they were defined", async () => {
    const { value } = await moved([
      "class Counter:\n    made = 0\n    seen = []\n    def __init__(self):\n        Counter.made += 1\n        Counter.seen.append(Counter.made)\ndef f():\n    f.calls += 1\nf.calls = 0",
      "Counter(); Counter(); f()",
    ]);
    expect(await value("Counter()\nCounter.made, Counter.seen, f.calls")).toEqual([3, [1, 2, 3], 1]);
  });

  it("is where the old one was: working folder, environment, import path", async () => {
    const { value, restored } = await moved(
      [
        "import os, sys, pathlib\nos.makedirs('lib'); pathlib.Path('lib/mine.py').write_text('V = 41')\nsys.path.append(os.path.abspath('lib'))\nimport mine",
        "os.environ['ADDED'] = 'yes'\nos.environ.pop('DROPPED')\nos.chdir('lib')",
      ],
      { cwd: await folder(), env: { DROPPED: "1" } },
    );
    expect(restored.failed).toEqual([]);
    expect(await value("mine.V, os.environ['ADDED'], 'DROPPED' in os.environ, os.path.basename(os.getcwd())")).toEqual([
      41,
      "yes",
      false,
      "lib",
    ]);
  });

  it("names the working folder when it is gone", async () => {
    const { restored, store, first } = await moved(["import os, tempfile\nhere = tempfile.mkdtemp()\nos.chdir(here)"]);
    expect(restored.failed).toEqual([]);
    await first.run("os.rmdir(here)");
    const third = await start();
    const told = (await store.restore(third)).failed;
    expect(told).toEqual([{ name: expect.stringContaining("the working folder /"), reason: expect.any(String) }]);
    expect((await third.run("here == ''")).value).toBe(false);
    await store.save(first);
    expect((await store.restore(await start())).failed).toEqual([
      { name: "the working folder", reason: "it was gone when the variables were saved" },
    ]);
  });

  it("finds tools again that a variable stands for, under the new bindings", async () => {
    const { value, restored } = await moved(
      ["from artificer_tools import echo\nfetch = tools.web.get\nkit = tools.web\nagain = web.echo"],
      { handlers: { "tools.call": ({ args }) => Object.values(args as object)[0] } },
    );
    expect(restored.failed).toEqual([]);
    expect(await value("echo(1), fetch('u'), kit.echo(value=2), await again(value=3)")).toEqual([1, "u", 2, 3]);
  });

  it("shows the lines of earlier cells in tracebacks", async () => {
    const { second } = await moved(["x = 1", "y = 1\n\ndef fails(n):\n    return n / 0"]);
    const { error } = await second.run("fails(1)");
    expect(error?.traceback).toContain("cell 2");
    expect(error?.traceback).toContain("return n / 0");
    expect(error?.traceback).toContain("line 4");
  });

  it("a name that the user took from a tool stays the user's, and free ones are the tools'", async () => {
    const { value } = await moved(["web = 'mine'"]);
    expect(await value("web, type(tools).__name__")).toEqual(["mine", "Tools"]);
  });

  it("can be saved and restored again and again", async () => {
    const { second, store } = await moved(["a = [1]\nb = a\ndef f(): return a\nclass C: pass\nc = C()"]);
    await second.run("a.append(2)");
    await store.save(second);
    const third = await start();
    expect((await store.restore(third)).failed).toEqual([]);
    expect((await third.run("f() is b, b, type(c) is C")).value).toEqual([true, [1, 2], true]);
  });
});

describe.each(await pythons())("a snapshot under Python $version [A7]", ({ path }) => {
  const cells = [
    "import collections, enum, functools\nPair = collections.namedtuple('Pair', 'a b')\nclass Color(enum.Enum):\n    RED = 1\nsquare = lambda n: n * n\ndef add(a, *, b=2): return a + b",
    "pair = Pair(1, [2])\ncolor = Color.RED\nitems = pair.b\ntext = 'é' * 10\nadd3 = functools.partial(add, b=3)",
  ];
  const check = "pair == Pair(1, [2]) and color is Color.RED and items is pair.b, square(3), add3(1), text";

  it("is restored, and a variable that nothing can have changed is not looked at again", async () => {
    const { value, first, store, saved } = await moved(cells, { python: path });
    expect(saved.skipped).toEqual([]);
    expect(await value(check)).toEqual([true, 9, 4, "éééééééééé"]);
    await first.run("other = 1");
    // A partial holds functions, which hold their defaults: it is looked at each time.
    expect((await store.save(first)).cost.examined).toBeLessThanOrEqual(2);
  });

  it("needs no cloudpickle for what cells define; what only cloudpickle can save is named", async () => {
    const { value, saved } = await moved(
      [
        "import sys\nsys.modules['cloudpickle'] = None",
        ...cells,
        "def make(n):\n    def inner(): return n\n    return inner\nclosure = make(5)",
      ],
      { python: path },
    );
    expect(saved.skipped).toEqual([{ name: "closure", reason: expect.stringContaining("make.<locals>.inner") }]);
    expect(await value(check)).toEqual([true, 9, 4, "éééééééééé"]);
  });
});

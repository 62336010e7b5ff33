import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SnapshotSaveResult, snapshotRestoreResult, snapshotSaveResult } from "@artificer/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { pythons } from "./support/pythons.js";
import { type HostOptions, ScriptedHost } from "./support/scripted-host.js";

const limits = { maxVariableBytes: 1 << 26, maxTotalBytes: 1 << 28, maxVariableMs: 2000 };
const hosts: ScriptedHost[] = [];

async function start(options: HostOptions = {}): Promise<ScriptedHost> {
  const host = await ScriptedHost.start({ snapshots: true, ...options });
  hosts.push(host);
  return host;
}

const folders: string[] = [];

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "artificer-kernel-"));
  folders.push(made);
  return made;
}

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true });
});

/** What a host keeps: the bytes of every piece. */
class Store {
  readonly data = new Map<string, Uint8Array>();
  last: SnapshotSaveResult | undefined;

  async save(host: ScriptedHost, options: object = {}): Promise<SnapshotSaveResult> {
    const answer = await host.request("snapshot.save", { ...limits, known: [...this.data.keys()], ...options });
    const result = snapshotSaveResult.parse(answer);
    for (const piece of [...result.groups, result.facts]) if (piece.data) this.data.set(piece.tag, piece.data);
    this.last = result;
    return result;
  }

  async restore(host: ScriptedHost) {
    const { facts, groups } = this.last!;
    const answer = await host.request("snapshot.restore", {
      facts: this.data.get(facts.tag)!,
      groups: groups.map((group) => ({ ...group, data: this.data.get(group.tag)! })),
      maxVariableMs: 2000,
    });
    return snapshotRestoreResult.parse(answer);
  }
}

/** Runs cells in one kernel, moves everything into another, and gives that. */
async function moved(cells: string[], options: HostOptions = {}) {
  const first = await start(options);
  for (const cell of cells) expect((await first.run(cell)).error).toBeUndefined();
  const store = new Store();
  const saved = await store.save(first);
  const second = await start(options);
  const restored = await store.restore(second);
  const value = async (code: string) => {
    const result = await second.run(code);
    expect(result.error).toBeUndefined();
    return result.value;
  };
  return { first, second, store, saved, restored, value };
}

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

describe("what a save costs [A7]", () => {
  const twenty =
    "rows = [{'n': n, 't': str(n) * 10} for n in range(100_000)]\nblob = bytes(10 << 20)\nbuf = bytearray(5 << 20)";

  it("is in proportion to what changed: 20 MB beside it are not looked at", async () => {
    const host = await start();
    await host.run(`${twenty}\nsmall = [1]`);
    const store = new Store();
    const first = await store.save(host);
    expect(first.cost.pickledBytes).toBeGreaterThan(20_000_000);
    await host.run("small.append(2)");
    const second = await store.save(host);
    expect(second.cost).toMatchObject({ variables: 4, examined: 1 });
    expect(second.cost.pickledBytes).toBeLessThan(200);
    expect(second.groups.filter(({ data }) => data !== undefined).map(({ names }) => names)).toEqual([["small"]]);
    expect(second.groups).toHaveLength(4);
  });

  it("is nothing for a cell that changes nothing, and no bytes for what was touched and left as it was", async () => {
    const host = await start();
    await host.run("a = [1]\nb = {'x': a}\ns = 'text'");
    const store = new Store();
    await store.save(host);
    await host.run("1 + 1");
    expect((await store.save(host)).cost.examined).toBe(0);
    await host.run("a.append(2); a.pop()\nlen(s)");
    const touched = await store.save(host);
    expect(touched.cost.examined).toBe(2);
    expect(touched.groups.every(({ data }) => data === undefined)).toBe(true);
  });

  it.each([
    ["a method of an alias", "holder = type('H', (), {})()\nholder.items = x", "holder.items.append(2)"],
    ["a function that names it", "def change(): x.append(2)", "change()"],
    ["a closure", "def make(y):\n    def go(): y.append(2)\n    return go\ngo = make(x)", "go()"],
    ["a bound method", "add = x.append", "add(2)"],
    [
      "an iterator",
      "class W:\n    def __init__(self, y): self.y = y\n    def __iadd__(self, n):\n        self.y.append(n)\n        return self\nw = W(x)",
      "w += 2",
    ],
    ["globals()", "n = 'x'", "globals()[n].append(2)"],
    ["eval", "n = 'x'", "eval(n).append(2)"],
    [
      "a module that holds it",
      "import types, sys\nm = types.ModuleType('m')\nsys.modules['m'] = m\nm.held = x",
      "import m as other\nother.held.append(2)",
    ],
    ["a partial object", "import functools\np = functools.partial(list.append, x)", "p(2)"],
    [
      "a thread of an earlier cell",
      "import threading\ngate = threading.Event()\nt = threading.Thread(target=lambda y: (gate.wait(), y.append(2)), args=(x,))\nt.start()",
      "gate.set(); t.join()",
    ],
    ["a default argument", "def d(y=x): y.append(2)", "d()"],
    ["a class attribute", "class K: held = x\nk = K()", "k.held.append(2)"],
    ["a view of its memory", "x = bytearray(b'\\1')\nv = memoryview(x)", "v[0] = 2"],
    ["a comprehension", "", "[x.append(n) for n in (2,)]"],
    [
      "a star import",
      "import sys, types\nsm = types.ModuleType('sm')\nsm.x = [1, 2]\nsys.modules['sm'] = sm",
      "from sm import *",
    ],
    [
      "a deeper object held elsewhere",
      "import types\nx.append([]); keep = types.SimpleNamespace(inner=x[1])\nx[1].append(0)",
      "keep.inner.append(2)",
    ],
  ])("sees a change made through %s", async (_, prepare, change) => {
    const host = await start();
    await host.run(`x = [1]\n${prepare}`);
    const store = new Store();
    await store.save(host);
    // Nothing is left to do: only the next cell can make it dirty.
    expect((await host.run(change)).error).toBeUndefined();
    await store.save(host);
    const fresh = await start();
    await store.restore(fresh);
    const [old, now] = [await host.run("list(x)"), await fresh.run("list(x)")];
    expect(now.value).toEqual(old.value);
    expect(JSON.stringify(now.value)).toContain("2");
  });

  it("sees what a magic changes, and keeps what a cell with magics defines", async () => {
    const host = await start();
    await host.run("x = [1]\ny = [1]");
    const store = new Store();
    await store.save(host);
    expect((await host.run("%time x.append(2)\ndef f():\n    return x")).error).toBeUndefined();
    expect((await host.run("y")).value).toEqual([1]);
    await store.save(host);
    // The value of an earlier cell goes by other names.
    await host.run("_.append(2)");
    await store.save(host);
    const fresh = await start();
    expect((await store.restore(fresh)).failed).toEqual([]);
    expect((await fresh.run("f(), y")).value).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it("drops what was deleted and follows what was bound anew", async () => {
    const host = await start();
    await host.run("a = [1]\nb = a\nc = 'c'\nd = 1\ndef f(): pass");
    const store = new Store();
    await store.save(host);
    await host.run("del a, c\nd = 2\nf = 5");
    const saved = await store.save(host);
    expect(saved.groups.flatMap(({ names }) => names).sort()).toEqual(["b", "d", "f"]);
    const fresh = await start();
    await store.restore(fresh);
    expect((await fresh.run("b, d, f, 'a' in globals()")).value).toEqual([[1], 2, 5, false]);
  });

  it("stops when it is withdrawn, and goes on where it was", async () => {
    const host = await start();
    await host.run(
      "import time\nclass Slow:\n    def __reduce__(self):\n        time.sleep(30)\n        return str, ('slow',)\nfirst = [1]\nslow = Slow()\nlast = [2]",
    );
    const store = new Store();
    const running = host.request("snapshot.save", { ...limits, maxVariableMs: 20_000, known: [] });
    await expect.poll(() => host.notices.some(({ params }) => params.variable === "slow")).toBe(true);
    host.cancel(running.id);
    expect(snapshotSaveResult.parse(await running).complete).toBe(false);
    expect((await host.run("first")).value).toEqual([1]);
    await host.run("slow = None");
    expect((await store.save(host)).complete).toBe(true);
  });
});

describe("what can't be saved [A7]", () => {
  it("is named with the reason, and the rest is saved", async () => {
    const { saved, value } = await moved([
      "import threading, io, sys, socket\nlock = threading.Lock()\ngen = (n for n in [1])\nsock = socket.socket()\nfine = [1]\nmixed = {'lock': lock, 'fine': fine}\nheld = [tools.web.get]",
      "deep = []\nfor _ in range(100_000): deep = [deep]",
    ]);
    const reasons = Object.fromEntries(saved.skipped.map(({ name, reason }) => [name, reason]));
    expect(Object.keys(reasons).sort()).toEqual(["deep", "gen", "held", "lock", "mixed", "sock"]);
    expect(reasons.lock).toContain("lock");
    expect(reasons.held).toContain("Tool, which belongs to this kernel");
    expect(reasons.deep).toContain("nested too deeply");
    expect(await value("fine")).toEqual([1]);
  });

  it("is what is too large, alone or all together", async () => {
    const host = await start();
    await host.run(
      "small = [0] * 10\nbig = bytes(200_000)\nrows = [str(n) for n in range(50_000)]\nmore = [bytes(n) for n in range(300)]",
    );
    const store = new Store();
    const saved = await store.save(host, { maxVariableBytes: 100_000, maxTotalBytes: 40_000 });
    expect(saved.groups.map(({ names }) => names)).toEqual([["small"]]);
    const reasons = Object.fromEntries(saved.skipped.map(({ name, reason }) => [name, reason]));
    expect(reasons.big).toBe("it takes 200000 bytes, more than the 100000 that a variable may");
    expect(reasons.rows).toContain("more than the 100000 bytes");
    expect(reasons.more).toBe("all variables together may take 40000 bytes");
  });

  it("takes along what needs it, by name", async () => {
    const { saved, value } = await moved([
      "import threading\ndef outer():\n    lock = threading.Lock()\n    class Local:\n        held = lock\n    return Local\nLocal = outer()\nthing = Local()\nother = 1",
    ]);
    const names = saved.skipped.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["Local", "thing"]));
    expect(await value("other")).toBe(1);
  });

  it.each([
    ["raises", "raise ValueError('no pickling here')", "ValueError: no pickling here"],
    ["exits", "raise SystemExit(3)", "SystemExit: 3"],
    ["never ends", "while True: pass", "it took longer than 1 s"],
    ["returns nonsense", "return 5", "PicklingError"],
    ["forks", "import os; os.fork(); return int, ('x',)", ""],
  ])("is an object whose __reduce__ %s: it alone is left out", async (_, body, reason) => {
    const host = await start();
    await host.run(`class Bad:\n    def __reduce__(self):\n        ${body}\nbad = Bad()\ngood = [1]`);
    const store = new Store();
    const saved = await store.save(host, { maxVariableMs: 1000 });
    expect(saved.groups.flatMap(({ names }) => names)).toContain("good");
    if (reason !== "") expect(saved.skipped).toEqual([{ name: "bad", reason: expect.stringContaining(reason) }]);
    expect((await host.run("good")).value).toEqual([1]);
    expect(host.frameErrors).toEqual([]);
  });

  it("an object that runs code whenever it is looked at is left out, and the rest is saved", async () => {
    const host = await start();
    await host.run(
      [
        "class Meta(type):",
        "    def __getattribute__(cls, name):",
        "        while True: pass",
        "class Looks:",
        "    def __getattribute__(self, name):",
        "        raise ZeroDivisionError(name)",
        "looks = Looks()",
        "endless = Meta('endless', (), {})",
        "good = [1]",
      ].join("\n"),
    );
    const saved = await new Store().save(host, { maxVariableMs: 500 });
    expect(saved.groups.flatMap(({ names }) => names)).toContain("good");
    const reasons = Object.fromEntries(saved.skipped.map(({ name, reason }) => [name, reason]));
    expect(reasons.endless).toContain("took longer than 0.5 s");
    expect(reasons.looks).toContain("ZeroDivisionError");
  });

  it("an object whose __reduce__ prints and changes other variables harms its own kernel alone", async () => {
    const host = await start();
    await host.run(
      "import sys\nclass Bad:\n    def __reduce__(self):\n        print('from a pickler')\n        victims.clear()\n        globals().pop('doomed', None)\n        return str, ('x',)\nbad = Bad()\nvictims = [1]\ndoomed = 1",
    );
    const store = new Store();
    expect((await store.save(host)).complete).toBe(true);
    const fresh = await start();
    expect((await store.restore(fresh)).failed).toEqual([]);
    expect((await fresh.run("bad")).value).toBe("x");
  });

  it("an object that fails, loops or is missing when restored is named, and the rest is there", async () => {
    const { restored, value } = await moved(
      [
        "import sys, pathlib, os\npathlib.Path('gone.py').write_text('class T: pass')\nimport gone\nt = gone.T()\nos.remove('gone.py')",
        "class Fails:\n    def __setstate__(self, s): raise KeyError('lost')\nclass Loops:\n    def __setstate__(self, s):\n        while True: pass\nf = Fails(); f.x = 1\nloops = Loops(); loops.x = 1\nfine = [1]",
      ],
      { cwd: await folder() },
    );
    const reasons = Object.fromEntries(restored.failed.map(({ name, reason }) => [name, reason]));
    expect(reasons.t).toContain("gone");
    expect(reasons.f).toContain("KeyError: 'lost'");
    expect(reasons.loops).toContain("took longer than 2 s");
    expect(await value("fine, 'f' in globals()")).toEqual([[1], false]);
  });
});

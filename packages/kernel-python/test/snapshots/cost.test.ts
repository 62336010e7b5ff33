import { snapshotSaveResult } from "@artificer/protocol";
import { describe, expect, it } from "vitest";
import { SnapshotStore } from "../support/snapshot-store.js";
import { useSnapshotKernels } from "../support/use-snapshot-kernels.js";

const { start } = useSnapshotKernels();

const limits = { maxVariableBytes: 1 << 26, maxTotalBytes: 1 << 28, maxVariableMs: 60_000 };

describe("what a save costs [A7]", () => {
  const twenty =
    "rows = [{'n': n, 't': str(n) * 10} for n in range(100_000)]\nblob = bytes(10 << 20)\nbuf = bytearray(5 << 20)";

  it("is in proportion to what changed: 20 MB beside it are not looked at", async () => {
    const host = await start();
    await host.run(`${twenty}\nsmall = [1]`);
    const store = new SnapshotStore();
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
    const store = new SnapshotStore();
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
    const store = new SnapshotStore();
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
    const store = new SnapshotStore();
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
    const store = new SnapshotStore();
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
    const store = new SnapshotStore();
    const running = host.request("snapshot.save", { ...limits, known: [] });
    await expect.poll(() => host.notices.some(({ params }) => params.variable === "slow")).toBe(true);
    host.cancel(running.id);
    expect(snapshotSaveResult.parse(await running).complete).toBe(false);
    expect((await host.run("first")).value).toEqual([1]);
    await host.run("slow = None");
    expect((await store.save(host)).complete).toBe(true);
  });
});

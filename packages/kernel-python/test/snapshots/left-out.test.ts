import { describe, expect, it } from "vitest";
import { SnapshotStore } from "../support/snapshot-store.js";
import { useSnapshotKernels } from "../support/use-snapshot-kernels.js";

const { start, folder, moved } = useSnapshotKernels();

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
    const store = new SnapshotStore();
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
    const store = new SnapshotStore();
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
    const saved = await new SnapshotStore().save(host, { maxVariableMs: 500 });
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
    const store = new SnapshotStore();
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
      { cwd: await folder(), restoreMs: 2000 },
    );
    const reasons = Object.fromEntries(restored.failed.map(({ name, reason }) => [name, reason]));
    expect(reasons.t).toContain("gone");
    expect(reasons.f).toContain("KeyError: 'lost'");
    expect(reasons.loops).toContain("took longer than 2 s");
    expect(await value("fine, 'f' in globals()")).toEqual([[1], false]);
  });
});

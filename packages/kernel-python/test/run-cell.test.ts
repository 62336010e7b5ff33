import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pythons } from "./support/pythons.js";
import { ScriptedHost } from "./support/scripted-host.js";

describe.each(await pythons())("a cell in Python $version", ({ path }) => {
  let host: ScriptedHost;
  beforeAll(async () => {
    host = await ScriptedHost.start({ python: path, limits: { maxValueBytes: 100_000, maxReprChars: 500 } });
  });
  afterAll(() => host.close());

  it("gives the last expression's value and its repr", async () => {
    expect(await host.run("1 + 1")).toMatchObject({ status: "completed", hasValue: true, value: 2, repr: "2" });
  });

  it("keeps variables and names what it bound", async () => {
    const result = await host.run("import os\nx, (y, *z) = 1, (2, 3)\ndef f(): pass\nfor i in range(3): pass");
    expect(result).toMatchObject({ status: "completed", hasValue: false });
    expect(result.names.sort()).toEqual(["f", "i", "os", "x", "y", "z"]);
    expect((await host.run("x + y + z[0] + i")).value).toBe(8);
  });

  it.each(["7;", "7 ; # done", "(7);\n\n# after", "'é';"])("keeps the value of %j to itself", async (code) => {
    expect(await host.run(code)).toMatchObject({ status: "completed", hasValue: false });
  });

  it.each(["7 # a; b", "'a;'", "[1,\n 2]  \n", "x = 1; x"])("gives the value of %j", async (code) => {
    expect((await host.run(code)).hasValue).toBe(true);
  });

  it("awaits at the top level, in statements and in the last expression", async () => {
    const result = await host.run(
      "import asyncio\nawait asyncio.sleep(0)\nasync def gen():\n    yield 1\n    yield 2\n[x async for x in gen()]",
    );
    expect(result).toMatchObject({ status: "completed", value: [1, 2] });
  });

  it("keeps one event loop, in which background tasks go on while later cells await", async () => {
    await host.run(
      "ticks = []\nasync def tick():\n    while True:\n        ticks.append(1)\n        await asyncio.sleep(0.001)\ntask = asyncio.create_task(tick())\nawait asyncio.sleep(0.01)",
    );
    expect((await host.run("before = len(ticks)\nawait asyncio.sleep(0.05)\nlen(ticks) > before")).value).toBe(true);
    expect((await host.run("task.cancel()")).value).toBe(true);
  });

  it("lets asyncio.run be called in a cell, and awaits again after it", async () => {
    expect((await host.run("async def one(): return 1\nasyncio.run(one())")).value).toBe(1);
    expect((await host.run("await one()")).value).toBe(1);
  });

  it("pickles what a cell defines, since __main__ is a real module", async () => {
    const result = await host.run("import pickle\nclass A:\n    n = 3\npickle.loads(pickle.dumps(A())).n");
    expect(result.value).toBe(3);
  });

  it("tells an exception as Python prints it, naming the cell's line, with no frame of the kernel's", async () => {
    const result = await host.run("def f():\n    return 1 / 0\n\nf()");
    expect(result).toMatchObject({
      status: "failed",
      error: { type: "ZeroDivisionError", message: "division by zero", line: 2 },
    });
    const lines = result.error!.traceback.split("\n").filter((line) => !/^\s*[~^]+$/.test(line));
    expect(lines.slice(0, 1)).toEqual(["Traceback (most recent call last):"]);
    expect(lines[1]).toMatch(/^ {2}File "cell \d+", line 4, in <module>$/);
    expect(lines[2]).toBe("    f()");
    expect(lines[3]).toMatch(/^ {2}File "cell \d+", line 2, in f$/);
    expect(lines.slice(4)).toEqual(["    return 1 / 0", "ZeroDivisionError: division by zero", ""]);
  });

  it("tells chained exceptions, with the source of earlier cells", async () => {
    await host.run("def boom():\n    raise KeyError('inner')");
    const { error } = await host.run("try:\n    boom()\nexcept KeyError as e:\n    raise ValueError('outer') from e");
    expect(error!.traceback).toContain("raise KeyError('inner')");
    expect(error!.traceback).toContain("The above exception was the direct cause of the following exception:");
    expect(error!.traceback).not.toContain("kernel");
    expect(error!.line).toBe(4);
  });

  it("shows source lines also where the cell prints a traceback itself, and in threads", async () => {
    host.takeOutput();
    await host.run("import traceback\ntry:\n    boom()\nexcept KeyError:\n    traceback.print_exc()");
    expect(host.takeOutput()).toContain("raise KeyError('inner')");
    await host.run("import threading\nt = threading.Thread(target=boom)\nt.start(); t.join()");
    const output = host.takeOutput();
    expect(output).toContain("Exception in thread");
    expect(output).toContain("raise KeyError('inner')");
    expect(output).not.toContain("_artificer");
  });

  it("shows the caret of a syntax error", async () => {
    const { status, error } = await host.run("x = 1\ny = = 2");
    expect(status).toBe("failed");
    expect(error).toMatchObject({ type: "SyntaxError", line: 2 });
    expect(error!.traceback).toMatch(
      /^ {2}File "cell \d+", line 2\n {4}y = = 2\n {8}\^\nSyntaxError: invalid syntax\n$/,
    );
  });

  it.each([
    ["import sys; sys.exit(4)", 4],
    ["exit()", 0],
    ["quit(True)", 1],
    ["import asyncio\nawait asyncio.sleep(0)\nexit(7)", 7],
    ["raise SystemExit('bye')", 1],
  ])("reports %j as an exit and lives on", async (code, exitCode) => {
    expect(await host.run(code)).toMatchObject({ status: "exited", exitCode });
    expect((await host.run("1")).value).toBe(1);
  });

  it("ends input() at once, saying why", async () => {
    const { error } = await host.run("input('name? ')");
    expect(error).toMatchObject({ type: "EOFError", line: 1 });
    expect(error!.message).toContain("stdin is empty");
    expect((await host.run("import sys; sys.stdin.read(), sys.stdin.readline()")).value).toEqual(["", ""]);
  });

  it("survives endless recursion and a memory error", async () => {
    expect((await host.run("def r(): r()\nr()")).error).toMatchObject({ type: "RecursionError" });
    expect((await host.run("raise MemoryError")).error).toMatchObject({
      type: "MemoryError",
      code: "cell/memory-limit",
    });
    expect((await host.run("import sys\nsys.setrecursionlimit(60)")).status).toBe("completed");
    expect((await host.run("1")).value).toBe(1);
  });

  it("carries a value that cannot be encoded as a repr and a problem with its path", async () => {
    expect(await host.run("{'a': [1, object]}")).toMatchObject({
      status: "completed",
      hasValue: true,
      repr: "{'a': [1, <class 'object'>]}",
      valueProblem: { code: "value/not-encodable", path: "$.a[1]" },
    });
    expect((await host.run("a = []\na.append(a)\na")).valueProblem).toMatchObject({
      code: "value/cycle",
      path: "$[0]",
    });
    expect((await host.run("d = []\nfor _ in range(300): d = [d]\nd")).valueProblem?.code).toBe("value/too-deep");
  });

  it("leaves out a value beyond the limit and caps its repr", async () => {
    const result = await host.run("list(range(1_000_000))");
    expect(result).toMatchObject({ status: "completed", valueProblem: { code: "cell/value-too-large" } });
    expect(result.value).toBeUndefined();
    expect(result.repr!.length).toBeLessThanOrEqual(500);
    expect((await host.run("b'x' * 200_000")).valueProblem?.code).toBe("cell/value-too-large");
  });

  it("tells of a broken __repr__ instead of failing", async () => {
    const result = await host.run("class B:\n    def __repr__(self): raise ValueError('no')\nB()");
    expect(result.status).toBe("completed");
    expect(result.repr).toBe("<B; its __repr__ raised ValueError: no>");
  });

  it("lists variables without the handles", async () => {
    await host.run("import sys\nlisted = [1, 2]");
    const rows = (await host.request("variables.list", {})) as { name: string; type: string; repr: string }[];
    expect(rows.find((row) => row.name === "listed")).toMatchObject({ type: "list", repr: "[1, 2]" });
    expect(rows.map((row) => row.name)).not.toContain("tools");
  });

  it("imports from the working folder and, on the first miss, from site-packages", async () => {
    await host.run("open('mine_to_import.py', 'w').write('x = 9')");
    expect((await host.run("import mine_to_import\nmine_to_import.x")).value).toBe(9);
    expect((await host.run("import nothing_of_this_name")).error?.type).toBe("ModuleNotFoundError");
    const wanted = await host.run(
      "import subprocess\nsubprocess.run([sys.executable, '-I', '-c', 'import sys; print([p for p in sys.path if p.endswith((\"site-packages\", \"dist-packages\"))])'], capture_output=True, text=True).stdout.strip()",
    );
    expect((await host.run(`all(p in sys.path for p in ${wanted.value})`)).value).toBe(true);
  });

  it("refuses a method it does not know", async () => {
    await expect(host.request("cell.dance", {})).rejects.toMatchObject({ code: "wire/unknown-method" });
  });
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, describe, expect, it } from "vitest";
import { type HostOptions, ScriptedHost } from "./support/scripted-host.js";

let host: ScriptedHost;
afterEach(() => host?.close());

const open = async (options: HostOptions = {}) => {
  host = await ScriptedHost.start(options);
  return host;
};

/** A cell's result and what it printed. */
async function cell(code: string) {
  const result = await host.run(code);
  return { ...result, output: host.takeOutput() };
}

describe("the notebook shorthand of our own engine [A9]", () => {
  it("runs %%bash, %%sh and %%script with their output in order, and leaves the kernel's folder alone", async () => {
    await open();
    expect(await cell("%%bash\necho one\ncd /\nsh -c 'echo two'\necho three")).toMatchObject({
      status: "completed",
      output: "one\ntwo\nthree\n",
    });
    expect((await cell("\n\n%%sh\necho sh")).output).toBe("sh\n");
    expect((await cell("%%script perl -w\nprint 6 * 7")).output).toBe("42");
    expect(await cell("import os\nos.getcwd() != '/'")).toMatchObject({ value: true });
  });

  it("tells a shell's exit status: %%bash fails the cell, ! says so and goes on", async () => {
    await open();
    const failed = await cell("%%bash\necho before\nexit 3");
    expect(failed).toMatchObject({ status: "failed", error: { type: "subprocess.CalledProcessError" } });
    expect(failed.error?.message).toContain("exit status 3");
    expect(failed.output).toBe("before\n");
    expect(await cell("!exit 4\n_exit_code")).toMatchObject({ value: 4, output: "[exit status 4]\n" });
    expect(await cell("!kill -TERM $$$$\n_exit_code")).toMatchObject({ value: -15, output: "[ended by SIGTERM]\n" });
    expect(await cell("%%bash --no-raise-error\nexit 5")).toMatchObject({ status: "completed" });
    expect(await cell("_exit_code")).toMatchObject({ value: 5 });
  });

  it("keeps what a command printed as lines, with x = !command", async () => {
    await open();
    await cell("found = !printf 'a\\nb c\\n'");
    expect(await cell("found")).toMatchObject({ value: ["a", "b c"], repr: "['a', 'b c']" });
    expect(await cell("[found.n, found.s, found.l]")).toMatchObject({ value: ["a\nb c", "a b c", ["a", "b c"]] });
    expect(await cell("row = {}\nrow['k'] = !echo inside\nrow")).toMatchObject({ value: { k: ["inside"] } });
    expect(await cell("!!echo double")).toMatchObject({ value: ["double"] });
    expect(await cell("names = %sx echo hi\nnames")).toMatchObject({ value: ["hi"] });
  });

  it("puts Python values into commands, of globals and of the function that runs, and leaves the shell's own alone", async () => {
    await open({ env: { COLOUR: "red" } });
    const code = [
      "name, count = 'world', 2",
      "!echo {name.upper()} $name {count + 1:03d} $COLOUR '$name' {{plain}} $$HOME_NOT",
      "def local(thing):",
      "    !echo {thing}",
      "for thing in ('a', 'b'):",
      "    local(thing * 2)",
      "!echo 'x y' | awk '{print $2}'",
    ].join("\n");
    expect((await cell(code)).output).toBe("WORLD world 003 red $name {plain}\naa\nbb\ny\n");
  });

  it("keeps shell and Python output in one order", async () => {
    await open();
    const code = "import sys\nfor i in range(3):\n    print('p', i)\n    !echo s {i} >&2\n    !echo t {i}\n";
    expect((await cell(code)).output).toBe([0, 1, 2].map((i) => `p ${i}\ns ${i}\nt ${i}\n`).join(""));
  });

  it("shows a shell's output while it runs, and an interrupt ends everything it started", async () => {
    await open();
    const running = host.start("!echo $$$$; sleep 1000 & echo $!; (sleep 1001; echo never) | cat");
    while (host.output.split("\n").length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    const pids = host.output.trim().split("\n").map(Number);
    host.cancel(running.id);
    expect(await running).toMatchObject({ status: "interrupted" });
    await expect.poll(() => pids.some(isRunning)).toBe(false);
    host.takeOutput();
    expect(await cell("1 + 1")).toMatchObject({ value: 2, output: "" });
  });

  it("knows %cd, %pwd and %env", async () => {
    const folder = await mkdtemp(join(tmpdir(), "artificer-magics-"));
    try {
      await open({ env: { ONE: "1" } });
      const here = (await cell("%pwd")).value;
      expect((await cell(`target = ${JSON.stringify(folder)}\n%cd {target}`)).output).toContain("artificer-magics-");
      expect((await cell("import os\nos.getcwd()")).value).toContain("artificer-magics-");
      await cell("%cd -");
      expect((await cell("%pwd")).value).toBe(here);
      expect((await cell("%env ONE")).value).toBe("1");
      expect((await cell("%env TWO=2\n%env")).value).toMatchObject({ ONE: "1", TWO: "2" });
      expect((await cell("%set_env THREE three four\nos.environ['THREE']")).value).toBe("three four");
      expect(await cell("%env ONEE")).toMatchObject({ status: "failed", error: { code: "cell/bad-magic" } });
      expect(await cell("%cd /no/such/folder")).toMatchObject({ error: { type: "FileNotFoundError" } });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("times statements that bind, await, raise or are the value, and whole cells", async () => {
    await open();
    const timed = /^CPU times: user .*, sys: .*, total: .*\nWall time: .*\n$/;
    expect(await cell("%time 6 * 7")).toMatchObject({ value: 42, output: expect.stringMatching(timed) });
    expect(await cell("%time bound = [1, 2]\nbound")).toMatchObject({ value: [1, 2] });
    expect((await cell("import asyncio\n%time x = await asyncio.sleep(0, 5)\nx")).value).toBe(5);
    expect((await cell("taken = %time 1 + 2\ntaken")).value).toBe(3);
    expect(await cell("%%time\ny = 20\n\ny + 1")).toMatchObject({ value: 21, output: expect.stringMatching(timed) });
    expect(await cell("%%time\nawait asyncio.sleep(0)\nz = 3")).toMatchObject({ names: ["z"] });
    expect((await cell("%%time\n!echo both")).output).toContain("both\n");
    expect(await cell("%%time\n\n1 / 0")).toMatchObject({ error: { type: "ZeroDivisionError", line: 3 } });
    expect((await cell("%timeit -n 10 -r 2 sum(range(10))")).output).toMatch(
      /per loop \(mean ± std\. dev\. of 2 runs, 10 loops each\)\n$/,
    );
    expect((await cell("%%timeit -n 5 -r 1 data = [1]\nlen(data)")).output).toContain("1 run, 5 loops each");
    expect(await cell("%timeit -n x pass")).toMatchObject({ error: { code: "cell/bad-magic" } });
  });

  it("lists, explains and resets names, and keeps the handles", async () => {
    await open();
    await cell('import os\nnumber = 1\ndef twice(x):\n    """Doubles."""\n    return 2 * x\ntools = 5');
    expect((await cell("%who")).output).toBe("number\t tools\t twice\n");
    expect((await cell("%who int")).output).toBe("number\t tools\n");
    expect((await cell("%who_ls")).value).toEqual(["number", "tools", "twice"]);
    expect((await cell("%whos")).output).toMatch(/number {5}int {6,}1\n/);
    const asked = (await cell("twice??")).output;
    expect(asked).toContain("Signature: twice(x)");
    expect(asked).toContain("Doubles.");
    expect(asked).toContain("return 2 * x");
    expect((await cell("?nothing_here")).output).toBe("There is no `nothing_here`.\n");
    expect((await cell("web?")).output).toContain("Reads the web.");
    await cell("%reset -f");
    expect((await cell("%who")).output).toBe("There are no variables yet.\n");
    expect((await cell("tools")).repr).toContain("tools");
    expect((await cell("%history -n")).output).toContain("1: import os\nnumber = 1");
  });

  it("writes files with %%writefile and accepts %matplotlib", async () => {
    await open();
    expect((await cell("%%writefile notes.txt\nif x:\n    !not a magic\n")).output).toBe("Wrote notes.txt\n");
    expect((await cell("open('notes.txt').read()")).value).toBe("if x:\n    !not a magic\n");
    expect(await cell("%matplotlib inline\n1")).toMatchObject({ status: "completed", value: 1 });
  });

  it("sees magics only where a logical line begins: not in strings, brackets or continued lines", async () => {
    await open();
    const text = 'text = """\n%cd /\n!rm -rf nothing\nx?\n"""\n!echo real\nlen(text.splitlines())';
    expect(await cell(text)).toMatchObject({ value: 4, output: "real\n" });
    expect((await cell("a, b = 7, 4\nc = (a\n%b\n)\n!true\nc")).value).toBe(3);
    expect((await cell("c = a \\\n%b\n!true\nc")).value).toBe(3);
    expect(
      (await cell("s = 'it''s # no \\' %who'\n!echo 'un\"balanced (['\ns = 'ok' # comment's\n!true\ns")).value,
    ).toBe("ok");
    expect((await cell('s = f"""{\'!x\'}\n!no {a}\n"""\n!true\ns')).value).toBe("!x\n!no 7\n");
    expect((await cell("s = 'one\\\n!two'\n!true\ns")).value).toBe("one!two");
    expect((await cell("d = {'k = !v': 1}\nd['k = !v'] = 2\n!true\nd")).value).toEqual({ "k = !v": 2 });
    expect((await cell("!echo one \\\n  two\n3")).output).toBe("one two\n");
    expect((await cell("if True:\n    !echo nested\nelse:\n    %cd /")).output).toBe("nested\n");
  });

  it("keeps the user's own lines in tracebacks and syntax errors", async () => {
    await open();
    const failed = await cell("!true\n\n%cd -q .\n1 / 0  # here");
    expect(failed).toMatchObject({ status: "failed", error: { line: 4 } });
    expect(failed.error?.traceback).toContain('File "cell 1", line 4, in <module>\n    1 / 0  # here\n');
    expect(failed.error?.traceback).not.toMatch(/_artificer|magics\.py/);
    const magic = await cell("x = 1\n%cd /no/such/folder");
    expect(magic.error?.traceback).toContain('File "cell 2", line 2, in <module>\n    %cd /no/such/folder\n');
    expect(magic.error?.traceback).not.toContain("^^^");
    const syntax = await cell("!true\n\nx = = 1");
    expect(syntax).toMatchObject({ error: { type: "SyntaxError", line: 3 } });
    expect((await cell("!true\n%time 1 +")).error).toMatchObject({ type: "SyntaxError", line: 2 });
    expect((await cell("x = 5 % \nprint('?')")).error).toMatchObject({ type: "SyntaxError", line: 1 });
  });

  it("refuses an unknown or misplaced magic by name, before anything of the cell runs", async () => {
    await open();
    const unknown = await cell("print('ran')\n%whoo");
    expect(unknown).toMatchObject({ status: "failed", error: { code: "cell/bad-magic" }, output: "" });
    expect(unknown.error?.message).toContain("Did you mean 'who'?");
    const misplaced = await cell("print('ran')\n%%bash\necho hi");
    expect(misplaced.error?.message).toContain("%%bash must be the first line of its cell; here it is line 2.");
    expect((await cell("%bash echo hi")).error?.message).toContain("write %%bash");
    expect((await cell("%%script no-such-program\nx")).error?.message).toContain("no program 'no-such-program'");
  });

  it("closes every door to a shell when allowShell is false, before anything of the cell runs", async () => {
    await open({ start: { allowShell: false } });
    const doors = [
      "!echo x",
      "y = !echo x",
      "!!echo x",
      "%%bash\necho x",
      "%%sh\necho x",
      "%%script bash\necho x",
      "%sx echo x",
    ];
    doors.push(
      "%system echo x",
      "%%system\necho x",
      "%%!\necho x",
      "z = %sx echo x",
      "%ls",
      "%%python\nprint(1)",
      "!pip install x",
    );
    doors.push("if True:\n    !echo x", "%%time\n!echo x", "print('early')\n!echo x", "%%time\n%%bash\necho x");
    for (const code of doors) {
      const refused = await cell(code);
      expect(refused, code).toMatchObject({ status: "failed", error: { code: "cell/shell-disabled" }, output: "" });
    }
    const late = await cell("import builtins\nbuiltins.__artificer_magic__('shell', '!', 'echo x')");
    expect(late).toMatchObject({ error: { code: "cell/shell-disabled" }, output: "" });
    expect(await cell("%pwd")).toMatchObject({ status: "completed" });
  });

  it("hands %pip, and a plain !pip install, to the session's deps", async () => {
    const calls: unknown[] = [];
    const told = (method: string) => (params: unknown) => {
      calls.push([method, params]);
      return method === "deps.list" ? [{ spec: "six>=1", name: "six", installed: true }] : true;
    };
    const methods = ["deps.add", "deps.sync", "deps.remove", "deps.list"];
    await open({ handlers: Object.fromEntries(methods.map((method) => [method, told(method)])) });
    await cell("%pip install -q 'six>=1' tomli");
    expect(calls).toEqual([
      ["deps.add", { spec: "six>=1" }],
      ["deps.add", { spec: "tomli" }],
      ["deps.sync", {}],
    ]);
    calls.length = 0;
    await cell("!pip install six\n!python3 -m pip uninstall -y six");
    expect(calls).toEqual([
      ["deps.add", { spec: "six" }],
      ["deps.sync", {}],
      ["deps.remove", { spec: "six" }],
    ]);
    expect((await cell("%pip list")).output).toBe("six>=1\n");
    expect(await cell("%pip install --index-url http://elsewhere x")).toMatchObject({
      error: { code: "cell/bad-magic" },
    });
    expect(await cell("%pip frobnicate")).toMatchObject({ error: { code: "cell/bad-magic" } });
  });

  it("finds packages in the folders it is given, at the start and while it runs", async () => {
    const folder = await mkdtemp(join(tmpdir(), "artificer-paths-"));
    try {
      await open();
      await cell(
        `%%bash\nmkdir -p ${folder}/one ${folder}/two\necho v=1 > ${folder}/one/dep_one.py\necho v=2 > ${folder}/two/dep_one.py`,
      );
      expect(await cell("import dep_one")).toMatchObject({ error: { type: "ModuleNotFoundError" } });
      await host.request("kernel.paths", { paths: [join(folder, "one")] });
      expect((await cell("import dep_one\ndep_one.v")).value).toBe(1);
      await host.request("kernel.paths", { paths: [join(folder, "two")] });
      expect((await cell("import sys; del sys.modules['dep_one']\nimport dep_one\ndep_one.v")).value).toBe(2);
      expect((await cell(`[p for p in sys.path if ${JSON.stringify(folder)} in p]`)).value).toEqual([
        join(folder, "two"),
      ]);
      await host.close();
      await open({ start: { paths: [join(folder, "one")] } });
      expect((await cell("import dep_one\ndep_one.v")).value).toBe(1);
      expect(await readFile(join(folder, "one", "dep_one.py"), "utf8")).toBe("v=1\n");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

import { execFileSync } from "node:child_process";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, describe, expect, it } from "vitest";
import { pythons } from "./support/pythons.js";
import { type HostOptions, ScriptedHost } from "./support/scripted-host.js";

const withIpython = (await pythons()).filter(({ path }) => {
  try {
    execFileSync(path, ["-I", "-c", "import IPython"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});
if (withIpython.length === 0) console.warn("No interpreter here has IPython, so its engine is not tested.");

let host: ScriptedHost;
afterEach(() => host?.close());

async function cell(code: string) {
  const result = await host.run(code);
  const displays = host.notices.splice(0).map(({ params }) => params.data as Record<string, unknown>);
  return { ...result, output: host.takeOutput(), displays };
}

describe("the choice of an engine [A12]", () => {
  it("is the kernel alone unless another is asked for", async () => {
    host = await ScriptedHost.start();
    expect(await cell("'get_ipython' in dir(__builtins__)")).toMatchObject({ value: false });
  });
});

describe.each(withIpython)("cells with the IPython of Python $version [A12]", ({ path }) => {
  const open = async (options: HostOptions = {}) => {
    host = await ScriptedHost.start({ ...options, python: path, start: { engine: "ipython", ...options.start } });
  };

  it("update and clear what they show in IPython's own ways, imported or not [Y4-8]", async () => {
    const cleared: unknown[] = [];
    await open({
      handlers: {
        "output.clear": ({ wait }) => {
          cleared.push(wait);
          return null;
        },
      },
    });
    const { error } = await host.run(
      "from IPython.display import clear_output as clear, display as show, update_display as update\nclear(wait=True)\nclear_output()\nh = show('a', display_id=True)\nh.update('b')\nupdate('c', display_id=h.display_id)\nm = display('d', display_id='m')\nm.update('e')\nupdate_display('f', display_id='m')",
    );
    expect(error).toBeUndefined();
    expect(cleared).toEqual([true, false]);
    const shown = host.notices.map(({ params }) => [params.id, params.update ?? false]);
    const [[id] = []] = shown;
    expect(id).toMatch(/./);
    const named = [
      ["m", false],
      ["m", true],
      ["m", true],
    ];
    expect(shown).toEqual([[id, false], [id, true], [id, true], ...named]);
  });

  it("have a real shell, its history and its outputs by the cell's number", async () => {
    await open();
    expect((await cell("40 + 2")).value).toBe(42);
    expect((await cell("[Out[1], _, _1, In[1], get_ipython().execution_count]")).value).toEqual([
      42,
      42,
      42,
      "40 + 2",
      3 - 1,
    ]);
    expect(
      (
        await cell(
          "from IPython.core.interactiveshell import InteractiveShell\nisinstance(get_ipython(), InteractiveShell)",
        )
      ).value,
    ).toBe(true);
    const listed = (await host.request("variables.list", {})) as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(["InteractiveShell"]);
    expect((await cell("%who")).output.trim()).toBe("InteractiveShell");
  });

  it("run its magics, with ours for shells and packages", async () => {
    await open({ handlers: { "deps.list": () => [{ spec: "six", name: "six", installed: true }] } });
    expect((await cell("%%capture kept\nprint('held')")).output).toBe("");
    expect((await cell("kept.stdout")).value).toBe("held\n");
    expect((await cell("who = 'you'\n!echo hi {who} $who")).output).toBe("hi you you\n");
    expect((await cell("lines = !printf 'a\\nb\\n'\nlines.n")).value).toBe("a\nb");
    expect(await cell("%%bash\necho one\nexit 3")).toMatchObject({ status: "failed", output: "one\n" });
    expect((await cell("%pip list")).output).toBe("six\n");
    expect((await cell("%timeit -n 1 -r 1 1")).output).toContain("per loop");
    expect(await cell("import asyncio\n%time x = await asyncio.sleep(0, 5)\nx")).toMatchObject({ value: 5 });
    await cell("%reset");
    expect((await cell("tools")).repr).toContain("<tools");
    expect(await cell("len?")).toMatchObject({ output: expect.stringContaining("Return the number of items") });
  });

  it("show rich objects as notices, and images in bytes as images", async () => {
    await open();
    expect(await cell("from IPython.display import HTML, Markdown\nHTML('<b>x</b>')")).toMatchObject({
      repr: "<IPython.core.display.HTML object>",
      displays: [{ "text/html": "<b>x</b>" }],
    });
    expect((await cell("display(Markdown('*a*'), 'plain')\n1")).displays).toMatchObject([
      { "text/markdown": "*a*" },
      { "text/plain": "'plain'" },
    ]);
    expect((await cell("display(b'\\x89PNG\\r\\n\\x1a\\n...')")).displays[0]).toHaveProperty("image/png");
    const code =
      "class C: pass\nf = get_ipython().display_formatter.formatters['text/html']\nf.for_type(C, lambda c: '<i>c</i>')\nC()";
    expect((await cell(code)).displays).toMatchObject([{ "text/html": "<i>c</i>" }]);
  });

  it("fail with tracebacks of the user's frames alone, by cell and line, without colours", async () => {
    await open();
    const plain = await cell("\n\n!true\n%cd -q .\n1 / 0");
    expect(plain.error).toMatchObject({ type: "ZeroDivisionError", line: 5 });
    expect(plain.error?.traceback).toContain('File "cell 1", line 5, in <module>');
    for (const code of [
      "%time 1 / 0",
      "%run no_such_file.py",
      "%no_such_magic",
      "%%time\n\n1 / 0",
      "%cd /no/such/folder/here\n1/0",
    ]) {
      const { status, error, output } = await cell(code);
      expect({ code, status }).toEqual({ code, status: "failed" });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the escape that is looked for
      expect(error!.traceback + output).not.toMatch(/\x1b\[|IPython\/|site-packages|ipython_engine|decorator-gen/);
    }
    expect((await cell("%%time\n\n1 / 0")).error).toMatchObject({ type: "ZeroDivisionError", line: 3 });
    expect((await cell("!echo \\\n  two\n1 / 0")).error?.line).toBe(3);
  });

  it("close every door to a shell when allowShell is false, also those that the shell object has", async () => {
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
      "%ls",
      "ls",
      "%%python3\nprint('x')",
      "print('early')\n!echo x",
      "%mkdir made",
      "%%perl\nprint 'x'",
    );
    doors.push(
      "get_ipython().system('echo x')",
      "get_ipython().getoutput('echo x')",
      "get_ipython().run_cell_magic('bash', '', 'echo x')",
    );
    doors.push(
      "get_ipython().run_line_magic('sx', 'echo x')",
      "%alias hi echo x\n%hi",
      "get_ipython().run_cell_magic('script', 'bash --out o', 'echo x')",
    );
    doors.push(
      "get_ipython().run_cell_magic('ruby', '', 'puts 1')",
      "%conda list",
      "get_ipython().run_cell_magic('pypy', '', '1')",
    );
    for (const code of doors) {
      const refused = await cell(code);
      expect({ code, status: refused.status, output: refused.output }).toEqual({ code, status: "failed", output: "" });
      expect(refused.error?.code, code).toBe("cell/shell-disabled");
    }
  });

  it("are interrupted in a shell, and end what it started", async () => {
    await open();
    const running = host.start("!echo $$$$; sleep 1000 & echo $!; wait");
    while (host.output.split("\n").length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    const pids = host.output.trim().split("\n").map(Number);
    host.cancel(running.id);
    expect(await running).toMatchObject({ status: "interrupted" });
    await expect.poll(() => pids.some(isRunning)).toBe(false);
  });
});

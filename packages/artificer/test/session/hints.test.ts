import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, type DepInstaller, defineTool, Session, type SessionOptions } from "../../src/index.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

const files = createToolkit({
  name: "files",
  description: "Files",
  tools: {
    read: defineTool({
      description: "Reads a file.",
      input: z.object({}),
      output: z.object({ content: z.string(), lines: z.int() }),
      effect: "read",
      run: () => ({ content: "one\ntwo", lines: 2 }),
    }),
    names: defineTool({ description: "Names.", input: z.object({}), effect: "read", run: () => ["a", "b"] }),
  },
});

function start(options: SessionOptions = {}): Session {
  const session = new Session({ embedder: null, tools: [files], ...options });
  open.push(session);
  return session;
}

const installer: DepInstaller = { install: async () => ({ installed: [], paths: [] }) } as unknown as DepInstaller;

describe("a package that is not installed", () => {
  it("is told with deps.add and the package's own name, where cells may add packages [X6-15]", async () => {
    const session = start({ depInstaller: installer });
    const own = await session.run("import no_such_package_at_all.sub");
    expect(own.error).toMatchObject({
      type: "ModuleNotFoundError",
      hint: expect.stringContaining('deps.add("no_such_package_at_all")'),
    });
    expect(own.toText()).toContain("[hint: no_such_package_at_all is not installed. If it is a package: deps.add(");
    const other = await session.run("raise ModuleNotFoundError(\"No module named 'sklearn'\")");
    expect(other.error?.hint).toContain('deps.add("scikit-learn")');
    // Not a package that is missing: no advice that leads astray.
    expect((await session.run("import os.nothing")).error?.hint).toBeUndefined();
    expect((await session.run("import json.nothing_here")).error?.hint).toBeUndefined();
  });

  it("is told as locked where cells may not, and as not to be had where nothing installs [X6-15]", async () => {
    const locked = await start({ depInstaller: installer, allowRuntimeDeps: false }).run(
      "import no_such_package_at_all",
    );
    expect(locked.error?.hint).toMatch(/locked.*requirements\.txt/);
    expect(locked.error?.hint).not.toContain("deps.add");
    const without = await start().run("import no_such_package_at_all");
    expect(without.error?.hint).toContain("can't install packages");
  });

  it("is told in TypeScript with where it would be looked for [X6-15]", async () => {
    const { error } = await start().run('await import("no-such-package-at-all")', { language: "typescript" });
    expect(error?.hint).toMatch(/no-such-package-at-all is not installed.*node_modules/);
  });
});

describe("a tool's dict that was taken for text", () => {
  it.each([
    "import json\njson.loads(tools.files.read())",
    "json_parse(tools.files.read())",
    "tools.files.read().splitlines()",
    "'text: ' + tools.files.read()",
    "tools.files.read() + 'x'",
    "tools.files.read()[:100]",
    "import re\nre.search('a', tools.files.read())",
  ])("is told with the members that it has: %j [X6-16]", async (code) => {
    const outcome = await start().run(code);
    expect(outcome.status).toBe("failed");
    expect(outcome.error?.hint).toMatch(/is a value already.*files\.read gives content, lines/);
    expect(outcome.toText()).toContain("[hint: What a tool returns");
  });

  it("is told in TypeScript as well [X6-16]", async () => {
    const session = start();
    for (const code of ["JSON.parse(await tools.files.read())", "(await tools.files.read()).split('\\n')"]) {
      const { error } = await session.run(code, { language: "typescript" });
      expect(error?.hint).toMatch(/is a value already.*result\.key.*files\.read gives content, lines/);
    }
  });

  it("is not suspected where no tool was called, or the error is another [X6-16]", async () => {
    const session = start();
    expect((await session.run("{}.splitlines()")).error?.hint).toBeUndefined();
    expect((await session.run("tools.files.read()['nothing']")).error?.hint).toBeUndefined();
    expect((await session.run("tools.files.read()\n1 / 0")).error?.hint).toBeUndefined();
  });
});

describe("code that fails again unchanged", () => {
  const told = (outcome: { notices: string[] }) => outcome.notices.filter((notice) => notice.includes("very code"));

  it("is told so, with how often and since when [X8-10]", async () => {
    const session = start();
    expect(told(await session.run("1 / 0"))).toEqual([]);
    const second = await session.run("1 / 0\n");
    expect(told(second)).toEqual([expect.stringContaining("failed 2 times with this very error, first in cell 1")]);
    expect(second.toText()).toContain("failed 2 times");
    await session.run("2 / 0");
    expect(told(await session.run("1 / 0"))[0]).toContain("failed 3 times");
  });

  it("is not told when the error has changed, the code has worked since, or somebody stopped it [X8-10]", async () => {
    const session = start();
    const counting = "n = globals().get('n', 0) + 1\nassert n == 3, n";
    for (let time = 1; time <= 5; time++) expect(told(await session.run(counting))).toEqual([]);
    await session.run("assert ok");
    await session.run("ok = True");
    await session.run("assert ok");
    await session.run("del ok");
    expect(told(await session.run("assert ok"))).toEqual([]);
    const stop = { signal: AbortSignal.abort() };
    await session.run("1", stop);
    expect(told(await session.run("1", stop))).toEqual([]);
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { artificer, start, temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
const run = (...args: string[]) => artificer(args, { cwd: folder.path });

describe("the command line", () => {
  it("names the command that a mistyped one was meant to be", async () => {
    const { exitCode, stdout, stderr } = await run("rnu", "-c", "1");
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain('There is no command "rnu"');
    expect(stderr).toContain("Did you mean `run`?");
  });

  it("does the same one level down", async () => {
    expect((await run("skills", "serach", "x")).stderr).toContain("Did you mean `search`?");
  });

  it.each(["constructor", "__proto__", "toString"])("finds no command in the name %s", async (name) => {
    const { exitCode, stderr } = await run(name);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("There is no command");
  });

  it("names the flag that a mistyped one was meant to be", async () => {
    const { exitCode, stderr } = await run("run", "--jsno", "-c", "1");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Did you mean --json?");
  });

  it("tells a usage error as JSON on stdout when --json is given", async () => {
    const { exitCode, stdout, stderr } = await run("run", "--json");
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      error: { code: "usage/invalid-argument", message: expect.any(String), hint: expect.stringContaining("-c") },
    });
  });

  it.each([
    [["run", "--timeout", "soon", "-c", "1"], "--timeout"],
    [["run", "--timeout", "-1", "-c", "1"], "--timeout"],
    [["run", "--language", "ruby", "-c", "1"], "Allowed: python, typescript"],
    [["run", "--base"], "--base needs a value"],
    [["run", "-", "-"], "once only"],
    [["skills", "show"], "NAME"],
    [["artifacts", "put", "name"], "FILE"],
    [["tools", "search", "x", "--limit", "0"], "--limit"],
    [["skills", "invoke", "x", "--arg", "novalue"], "name=value"],
    [["skills", "invoke", "x", "--args", "[1]"], "an array"],
    [["skills", "invoke", "x", "--args", "{"], "no JSON"],
    [["skills", "add", "-"], "--name"],
    [["doctor", "more"], "one argument too many"],
  ])("refuses %j with a word about what is wrong", async (args, word) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("shows the stack of an error with --debug only", async () => {
    expect((await run("run", "missing.py", "--debug")).stderr).toMatch(/^\s+at /m);
  });

  it("says which file can't be read and why, before any cell runs", async () => {
    mkdirSync(join(folder.path, "a-folder"));
    writeFileSync(join(folder.path, "latin1.py"), Buffer.from("x = '\xe9'", "latin1"));
    const missing = await run("run", "-c", "print('ran')", "missing.py");
    expect(missing).toMatchObject({ exitCode: 2, stdout: "" });
    expect(missing.stderr).toContain("Can't read missing.py: there is no such file");
    expect((await run("run", "a-folder")).stderr).toContain("it is a folder");
    expect((await run("run", "latin1.py")).stderr).toContain("latin1.py is no UTF-8 text");
  });

  it("does not lay out a base where a mistyped --base points", async () => {
    const { exitCode, stderr } = await run("skills", "list", "--base", "nowhere");
    expect(exitCode).toBe(3);
    expect(stderr).toContain("artificer init");
    expect((await run("skills", "list", "--base", "nowhere", "--json")).stdout).toContain('"session/base-missing"');
  });

  it("teaches by example in the help of every command", async () => {
    const commands = [["init"], ["run"], ["repl"], ["tools"], ["skills"], ["artifacts"], ["doctor"], ["mcp"]];
    for (const command of commands) {
      const { exitCode, stdout } = await run(...command, "--help");
      expect(exitCode).toBe(0);
      expect(stdout).toContain(command[0] === "mcp" ? '"mcpServers"' : `\n  artificer ${command[0]}`);
    }
    expect((await run("help", "skills", "add")).stdout).toBe((await run("skills", "add", "--help")).stdout);
  });

  it("shows its version", async () => {
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("writes no colours to a pipe", async () => {
    expect((await run("--help")).stdout).not.toContain("\u001b");
  });

  it("ends quietly when the reader of its output has gone", async () => {
    const started = start(["--help"], { cwd: folder.path });
    started.child.stdout?.destroy();
    const { stderr } = await started.finished;
    expect(stderr).toBe("");
  });
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { artificer, start, temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
const run = (args: string[], stdin?: string) => artificer(["run", ...args], { cwd: folder.path, stdin });
const outcomes = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("artificer run", () => {
  it("prints the value of the last expression and lays out the base by itself [P1]", async () => {
    expect(await run(["-c", "1+1"])).toMatchObject({ exitCode: 0, stdout: "2\n", stderr: "" });
    expect(existsSync(join(folder.path, ".artificer", "skills"))).toBe(true);
  });

  it("runs files, standard input and code in one session, in the order given", async () => {
    writeFileSync(join(folder.path, "first.py"), "words = ['a']\n");
    const { stdout, exitCode } = await run(
      ["first.py", "-c", "words.append('b')", "-", "-c", "words"],
      "words.append('c')",
    );
    expect({ stdout, exitCode }).toEqual({ stdout: "['a', 'b', 'c']\n", exitCode: 0 });
  });

  it("gives one outcome a line with --json", async () => {
    const { stdout, stderr } = await run(["--json", "-c", "print('hi'); 1+1", "-c", "{'a': [1, None]}"]);
    const [first, second] = outcomes(stdout);
    expect(stderr).toBe("");
    expect(first).toMatchObject({ status: "completed", value: 2, repr: "2", stdout: "hi\n", cell: 1, generation: 1 });
    expect(second).toMatchObject({ status: "completed", value: { a: [1, null] }, cell: 2 });
  });

  it("checks TypeScript before it runs it with --check, and says where it is wrong", async () => {
    writeFileSync(join(folder.path, "wrong.ts"), "console.log('ran');\nconst n: number = 'x';\n");
    const refused = await run(["--check", "wrong.ts"]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain("2:7 TS2322");
    expect(await run(["--check", "-l", "typescript", "-c", "const n: number = 1; n"])).toMatchObject({
      exitCode: 0,
      stdout: "1\n",
    });
    expect((await run(["wrong.ts"])).stdout).toBe("ran\n");
    const python = await run(["--check", "-c", "1"]);
    expect(python.exitCode).toBe(2);
    expect(python.stderr).toContain("check");
  });

  it("puts output and value on stdout, the traceback on stderr, and exits with 1 when the code fails", async () => {
    const { stdout, stderr, exitCode } = await run(["-c", "print('before')\n1/0", "-c", "print('never')"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "before\n", exitCode: 1 });
    expect(stderr).toContain("ZeroDivisionError");
    expect(stderr).toContain("line 2");
    expect(stderr).not.toContain("node_modules");
  });

  it("goes on after a failure with --keep-going, and still tells it by the exit code", async () => {
    const { stdout, exitCode } = await run(["--keep-going", "-c", "x = 1", "-c", "1/0", "-c", "x + 1"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "2\n", exitCode: 1 });
  });

  it("separates the value from output that ends in mid-line", async () => {
    expect((await run(["-c", "print('a', end=''); 5"])).stdout).toBe("a\n5\n");
  });

  it("exits with 6 and says so when a cell outlives its time limit", async () => {
    const { exitCode, stdout, stderr } = await run([
      "--timeout",
      "1.5",
      "-c",
      "print('on', flush=True)\nwhile True: pass",
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: "on\n" });
    expect(stderr).toMatch(/1\.5 s/);
  });

  it("exits with 9 when the cell kills its kernel, and runs the next cell in a fresh one with --keep-going", async () => {
    const { exitCode, stdout } = await run(["--json", "--keep-going", "-c", "import os; os._exit(3)", "-c", "1"]);
    const [crash, next] = outcomes(stdout);
    expect(exitCode).toBe(9);
    expect(crash).toMatchObject({ status: "crashed", generation: 1 });
    expect(next).toMatchObject({ status: "completed", value: 1, generation: 2 });
  });

  it("shows output as it comes, not at the end", async () => {
    const started = start(["run", "-c", "import time\nprint('early', flush=True)\ntime.sleep(60)"], {
      cwd: folder.path,
    });
    await started.told("early");
    started.child.kill("SIGTERM");
    expect((await started.finished).exitCode).toBe(143);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends the kernel with it when %s comes", async (signal, exitCode) => {
    const code = "import os, time\nprint(f'pid {os.getpid()} is up', flush=True)\ntime.sleep(600)";
    const started = start(["run", "-c", code], { cwd: folder.path });
    await started.told("is up");
    started.child.kill(signal);
    const end = await started.finished;
    expect(end.exitCode).toBe(exitCode);
    const pid = Number(/pid (\d+)/.exec(end.stdout)?.[1]);
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });

  it("ends quietly, kernel and all, when the reader of its output has gone", async () => {
    const code = "import os, sys\nprint(f'pid {os.getpid()} is up', flush=True)\nwhile True: print('x' * 1000)";
    const started = start(["run", "-c", code], { cwd: folder.path });
    await started.told("is up");
    started.child.stdout?.destroy();
    const { exitCode, stdout, stderr } = await started.finished;
    expect({ exitCode, stderr }).toEqual({ exitCode: 141, stderr: "" });
    const pid = Number(/pid (\d+)/.exec(stdout)?.[1]);
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });

  it("tells an image in a line, or keeps it as a file with --display-dir", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const code = `import base64\nclass P:\n  def _repr_png_(self): return base64.b64decode("${png}")\ndisplay(P())`;
    expect((await run(["-c", code])).stdout).toContain("[image/png 70 B]");
    const { stdout } = await run(["--display-dir", "pictures", "-c", code]);
    expect(stdout).toContain(join("pictures", "display-001.png"));
    expect(readFileSync(join(folder.path, "pictures", "display-001.png")).toString("base64")).toBe(png);
    await run(["--display-dir", "pictures", "-c", code]);
    expect(readdirSync(join(folder.path, "pictures"))).toEqual(["display-001.png", "display-002.png"]);
  });

  it("finds the base in ARTIFICER_BASE when --base is not given", async () => {
    const base = join(folder.path, "elsewhere");
    await artificer(["run", "-c", "artifacts.save('note', 'x')"], { cwd: folder.path, env: { ARTIFICER_BASE: base } });
    const { stdout } = await artificer(["artifacts", "get", "note", "--base", base], { cwd: folder.path });
    expect(stdout).toBe("x");
  });

  it("says what is wrong, with a hint and no stack, when the base can't be made", async () => {
    writeFileSync(join(folder.path, "a-file"), "");
    const { exitCode, stderr } = await run(["--base", "a-file", "-c", "1"]);
    expect(exitCode).toBe(7);
    expect(stderr).toContain("a-file");
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("refuses an executor that there isn't, naming those there are", async () => {
    const { exitCode, stderr } = await run(["--executor", "subproces", "-c", "1"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("subprocess");
  });
});

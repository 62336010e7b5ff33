import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { artificer, start, temporaryFolder } from "../artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
const options = { cwd: folder.path };

// From a pipe the loop shows no prompt, and Ctrl-C is SIGINT to the process. `terminal.test.ts` does the same on a real terminal.
describe("artificer repl, from a pipe", () => {
  it("runs cells one after another, blocks too, and keeps state", async () => {
    const stdin = "x = 20\ndef double(n):\n    return n * 2\n\ndouble(x) + 2\n";
    expect(await artificer(["repl"], { ...options, stdin })).toMatchObject({ exitCode: 0, stdout: "42\n", stderr: "" });
  });

  it("runs what was typed last even when no newline or blank line ends it", async () => {
    expect((await artificer(["repl"], { ...options, stdin: "for i in range(2):\n    print(i)" })).stdout).toBe(
      "0\n1\n",
    );
  });

  it("shows a traceback and goes on", async () => {
    const { stdout, stderr, exitCode } = await artificer(["repl"], { ...options, stdin: "1/0\n7\n" });
    expect({ stdout, exitCode }).toEqual({ stdout: "7\n", exitCode: 0 });
    expect(stderr).toContain("ZeroDivisionError");
  });

  it("interrupts the running cell at Ctrl-C and keeps the variables", async () => {
    const started = start(["repl"], { ...options, stdin: null });
    started.child.stdin?.write("kept = 5\nimport time\nprint('running', flush=True); time.sleep(600)\n");
    await started.told("running");
    started.child.kill("SIGINT");
    await started.told("KeyboardInterrupt");
    started.child.stdin?.end("kept + 1\n");
    expect(await started.finished).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\n6\n$/) });
  });

  it("shows what a thread wrote between two cells, and says when that was", async () => {
    const started = start(["repl"], { ...options, stdin: null });
    const [go, gone] = [join(folder.path, "go"), join(folder.path, "gone")];
    const cell = `import os, threading, time
def late():
    while not os.path.exists(${JSON.stringify(go)}): time.sleep(0.01)
    print("late", flush=True)
    open(${JSON.stringify(gone)}, "w").close()

threading.Thread(target=late).start()
:lang
`;
    started.child.stdin?.write(cell);
    // What a command answers comes once the cell before it has ended.
    await started.told("python");
    writeFileSync(go, "");
    await expect.poll(() => existsSync(gone)).toBe(true);
    started.child.stdin?.end("7\n");
    const { stdout, stderr } = await started.finished;
    expect(stdout).toMatch(/^python\nlate\n7\n$/);
    expect(stderr).toContain("written after the cell before had ended");
  });

  it("leaves at the second Ctrl-C in a row when nothing runs", async () => {
    const started = start(["repl"], { ...options, stdin: null });
    started.child.stdin?.write("'ready'\n");
    await started.told("'ready'");
    // The value is told a moment before the loop waits again; a Ctrl-C in that moment is the cell's. A command's answer comes from the loop.
    started.child.stdin?.write(":lang\n");
    await started.told("python");
    started.child.kill("SIGINT");
    await started.told("Ctrl-C again");
    started.child.kill("SIGINT");
    expect((await started.finished).exitCode).toBe(0);
  });

  it("has commands for tools, skills, variables and languages, and teaches them", async () => {
    const stdin = [
      ":help",
      ":lang",
      "def run(n: int) -> int:\n    return n + 1\n",
      ":save-skill increment Adds one to a number",
      ":skills",
      ":skills add one",
      "answer = 42",
      ":vars",
      ":reset",
      ":vars",
      ":halp",
      ":lang cobol",
      "skills.invoke('increment', n=1)",
    ].join("\n");
    const { stdout, stderr } = await artificer(["repl"], { ...options, stdin: `${stdin}\n` });
    expect(stdout).toContain(":save-skill NAME");
    expect(stdout).toContain("python\n");
    expect(stdout).toContain("Kept increment(n: int) -> int as version 1.");
    expect(stdout.match(/increment\(n: int\) -> int +v1 +Adds one/g)).toHaveLength(2);
    expect(stdout).toMatch(/answer +int +42/);
    expect(stdout).toContain("No variables.");
    expect(stdout).toMatch(/\n2\n$/);
    expect(stderr).toContain("There is no :halp");
    expect(stderr).toContain("Allowed: python, typescript");
  });

  it("says what is missing when there is nothing to save", async () => {
    const { stderr } = await artificer(["repl"], { ...options, stdin: ":save-skill\n1\n:save-skill x\n" });
    expect(stderr).toContain("The name is missing");
    expect(stderr).toContain("No cell has defined run()");
  });
});

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { binary, temporaryFolder } from "../artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
const driver = fileURLToPath(new URL("./terminal.py", import.meta.url));

type Step = { wait: string } | { type: string };

/** Plays the steps on a real terminal, which Python, needed by the kernels anyway, can make. */
function play(steps: readonly Step[]) {
  const input = steps.map((step) => JSON.stringify(step)).join("\n");
  const args = [driver, process.execPath, binary, "repl", "--base", join(folder.path, "base")];
  return spawnSync("python3", args, { input: `${input}\n`, encoding: "utf8", env: { ...process.env, TERM: "xterm" } });
}

const ctrlC = "\u0003";
const ctrlD = "\u0004";
const up = "\u001b[A";

describe("artificer repl, on a terminal", () => {
  it("interrupts the running cell at Ctrl-C, keeps its variables, and leaves at Ctrl-D", () => {
    const { status, stdout } = play([
      { wait: "py> " },
      { type: "kept = 5\r" },
      { wait: "py> " },
      { type: "import time; print('run' + 'ning'); time.sleep(600)\r" },
      { wait: "running" },
      { type: ctrlC },
      { wait: "KeyboardInterrupt" },
      { wait: "py> " },
      { type: "kept + 1\r" },
      { wait: "6\r\n" },
      { type: ctrlD },
    ]);
    expect(status, stdout).toBe(0);
  });

  it("forgets a half-typed block at Ctrl-C, and leaves at the second one at an empty prompt", () => {
    const { status, stdout } = play([
      { wait: "py> " },
      { type: "def f():\r" },
      { wait: "... " },
      { type: ctrlC },
      { wait: "py> " },
      { type: ctrlC },
      { wait: "Ctrl-C again" },
      { type: ctrlC },
    ]);
    expect(status, stdout).toBe(0);
  });

  it("remembers what was typed for the next time", () => {
    play([{ wait: "py> " }, { type: "print('re' + 'membered')\r" }, { wait: "remembered" }, { type: ctrlD }]);
    expect(readFileSync(join(folder.path, "base", ".state", "repl-history"), "utf8")).toContain("'membered'");
    const { status, stdout } = play([{ wait: "py> " }, { type: `${up}\r` }, { wait: "\nremembered" }, { type: ctrlD }]);
    expect(status, stdout).toBe(0);
  });
});

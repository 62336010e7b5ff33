import { isRunning } from "@artificer/testkit/services";
import { afterEach, describe, expect, it } from "vitest";
import { createExecuteCodeTool, Session } from "../../src/index.js";
import { hearLine } from "../support/hear-line.js";

let session: Session;
afterEach(() => session.close());

const busyPython = [
  "import os, signal, subprocess, time",
  "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
  "child = subprocess.Popen(['sh', '-c', 'trap \"\" TERM INT; while :; do sleep 1; done'])",
  "print(os.getpid(), child.pid, flush=True)",
  "while True:",
  "    try: time.sleep(600)",
  "    except BaseException: pass",
].join("\n");

const busyTypescript = [
  'import { spawn } from "node:child_process";',
  'const child = spawn("sh", ["-c", "trap \'\' TERM INT; while :; do sleep 1; done"]);',
  "console.log(process.pid, child.pid);",
  "for (;;) {}",
].join("\n");

describe("a reset while a cell runs", () => {
  it.each([
    ["python", busyPython],
    ["typescript", busyTypescript],
  ] as const)(
    "ends a stuck %s cell with its kernel and all it started, and the next cells run in a fresh one [X4-19]",
    async (language, code) => {
      session = new Session({ embedder: null });
      const pids = hearLine();
      const running = session.run(code, { language, onOutput: pids.hear });
      const printed = await pids.line;
      const started = printed.split(" ").map(Number);
      expect(started.map(isRunning)).toEqual([true, true]);
      const waiting = session.run("1 + 1", { language });
      await session.restart(language);

      const stopped = await running;
      expect(stopped).toMatchObject({ status: "crashed", state: { variables: "lost" } });
      expect(stopped.error?.message).toContain("restarted on request");
      expect(stopped.stdout).toBe(`${printed}\n`);
      await expect.poll(() => started.map(isRunning)).toEqual([false, false]);
      expect(await waiting).toMatchObject({ status: "completed", value: 2, generation: 2 });
    },
  );

  it("by the agent's own tool does the same, and its cell runs in the fresh kernel [X4-19]", async () => {
    session = new Session({ embedder: null });
    const tool = createExecuteCodeTool(session);
    const pid = hearLine();
    const first = tool.call(
      { code: "import os, time\nkept = 1\nprint(os.getpid(), flush=True)\ntime.sleep(600)" },
      { onOutput: pid.hear },
    );
    const kernel = Number(await pid.line);
    const second = await tool.call({ code: "print('kept' in globals())", reset: true });
    expect(second).toMatchObject({ status: "success", output: expect.stringContaining("False") });
    expect(await first).toMatchObject({ status: "error", output: expect.stringContaining("restarted on request") });
    expect(isRunning(kernel)).toBe(false);
  });
});

describe("many resets of one session", () => {
  it("leave no listener behind on what the session's starts share", async () => {
    session = new Session({ embedder: null });
    const added: unknown[] = [];
    const { addEventListener, removeEventListener } = AbortSignal.prototype;
    const held = new Map<AbortSignal, number>();
    const count = (signal: AbortSignal, by: number) => held.set(signal, (held.get(signal) ?? 0) + by);
    AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...args: never) {
      added.push(this);
      count(this, 1);
      return addEventListener.apply(this, args);
    };
    AbortSignal.prototype.removeEventListener = function (this: AbortSignal, ...args: never) {
      count(this, -1);
      return removeEventListener.apply(this, args);
    };
    try {
      for (let round = 0; round < 12; round++) {
        expect((await session.run("1")).status).toBe("completed");
        await session.restart();
      }
    } finally {
      AbortSignal.prototype.addEventListener = addEventListener;
      AbortSignal.prototype.removeEventListener = removeEventListener;
    }
    expect(added.length).toBeGreaterThan(0);
    expect(Math.max(...held.values())).toBeLessThan(4);
  });
});

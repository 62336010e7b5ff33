import { isRunning } from "@artificer/testkit/services";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, Session, type SessionOptions } from "../../src/index.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

/** Tools that end when their test says so, whatever their signal says. */
function stubbornTools() {
  const aborted: string[] = [];
  const release: (() => void)[] = [];
  const toolkit = createToolkit({
    name: "slow",
    description: "Slow tools",
    tools: {
      quick: defineTool({ description: "Answers", input: z.object({}), effect: "read", run: () => "quick" }),
      obedient: defineTool({
        description: "Ends when its signal says so",
        input: z.object({}),
        run: (_args, { signal }) =>
          new Promise((_, reject) =>
            signal.addEventListener("abort", () => {
              aborted.push("obedient");
              reject(signal.reason);
            }),
          ),
      }),
      stubborn: defineTool({
        description: "Ignores its signal",
        input: z.object({}),
        run: () => new Promise((resolve) => release.push(() => resolve("too late"))),
      }),
    },
  });
  return { toolkit, aborted, release };
}

function start(options: SessionOptions = {}): Session {
  const session = new Session({ embedder: null, ...options, limits: { graceMs: 10_000, ...options.limits } });
  open.push(session);
  return session;
}

const ignoresInterrupts = `
while True:
    try:
        for _ in iter(int, 1):
            sum(range(100))
    except BaseException:
        pass`;

/** Code that is stuck, and whether an interrupt lands. */
const interruptible: [string, string][] = [
  ["await asyncio.sleep(1e6)", "import asyncio\nawait asyncio.sleep(1e6)"],
  ["while True: pass", "while True: pass"],
  ["time.sleep", "import time\ntime.sleep(1e6)"],
  [
    "time.sleep in a thread that is joined",
    "import threading, time\nt = threading.Thread(target=time.sleep, args=(1e6,), daemon=True)\nt.start()\nt.join()",
  ],
  ["a child process that is waited for", "import subprocess\nsubprocess.run(['sleep', '1000'])"],
  ["os.system", "import os\nos.system('sleep 1000')"],
  ["a gathered pair of sleeps", "import asyncio\nawait asyncio.gather(asyncio.sleep(1e6), asyncio.sleep(1e6))"],
  ["a cell that catches every exception once", "try:\n    while True: pass\nexcept BaseException:\n    pass"],
];

const stuck: [string, string][] = [
  ["a C call that never returns", "import ctypes\nlibc = ctypes.PyDLL(None)\nwhile True: libc.usleep(900_000_000)"],
  ["a backtracking regular expression", "import re\nre.match(r'(?:a+)+b', 'a' * 64)"],
  ["a loop that catches every interrupt", ignoresInterrupts],
  [
    "a child that ignores signals and is waited for again and again",
    "import subprocess\nchild = subprocess.Popen(['sh', '-c', 'trap \"\" TERM INT; sleep 1000'])\nwhile True:\n    try: child.wait()\n    except BaseException: pass",
  ],
];

describe("a cell out of time", () => {
  it.each(interruptible)("%s is interrupted: its variables, output, names and calls are kept", async (_what, code) => {
    const { toolkit } = stubbornTools();
    const session = start({ tools: [toolkit] });
    await session.run("kept = 'yes'");
    const outcome = await session.run(`print("before", flush=True)\nfound = tools.slow.quick()\n${code}`, {
      // Long enough for the first lines on a busy machine: what is tested is what follows them.
      timeoutMs: 1_500,
    });
    expect(outcome).toMatchObject({
      status: "timed-out",
      stdout: "before\n",
      generation: 1,
      error: { code: "cell/timed-out" },
      state: { variables: "kept" },
      toolCalls: [{ tool: "slow.quick", status: "completed", reached: true }],
    });
    expect(outcome.names).toContain("found");
    expect(outcome.state.note).toContain("interrupt landed");
    expect(await session.run("(kept, found)")).toMatchObject({ value: ["yes", "quick"], generation: 1 });
  });

  it.each(stuck)("%s is killed: what is known is kept, what is lost is named", async (_what, code) => {
    const { toolkit } = stubbornTools();
    const session = start({ tools: [toolkit], limits: { graceMs: 1_000 } });
    await session.run("kept = 'yes'\ndef helper(): pass");
    const outcome = await session.run(`print("before", flush=True)\nfound = tools.slow.quick()\n${code}`, {
      // Long enough for the first lines on a busy machine: what is tested is what follows them.
      timeoutMs: 1_500,
    });
    expect(outcome).toMatchObject({
      status: "timed-out",
      stdout: "before\n",
      generation: 1,
      error: { code: "cell/timed-out" },
      state: { variables: "lost", names: ["kept", "helper"] },
      toolCalls: [{ tool: "slow.quick", status: "completed", reached: true }],
      names: [],
    });
    expect(outcome.state.note).toContain("did not land");
    expect(await session.run("1")).toMatchObject({ value: 1, generation: 2 });
  });

  it("is told apart from one that was interrupted by its caller", async () => {
    const session = start();
    const stop = new AbortController();
    const running = session.run("print('here')\nwhile True: pass", {
      signal: stop.signal,
      // A print is two writes, its text and its end of line: only the second one is the end of it.
      onOutput: ({ text }) => {
        if (text.includes("\n")) stop.abort(new Error("a newer request"));
      },
    });
    const outcome = await running;
    expect(outcome).toMatchObject({
      status: "interrupted",
      error: { code: "cell/interrupted" },
      stdout: "here\n",
      state: { variables: "kept" },
    });
    expect(outcome.error?.message).toContain("a newer request");
  });
});

describe("a tool that is stuck", () => {
  it("is told to stop; the call is cancelled and had reached its tool", async () => {
    const { toolkit, aborted } = stubbornTools();
    const session = start({ tools: [toolkit], limits: { maxWaitingMs: 300 } });
    const outcome = await session.run("kept = 1\ntools.slow.obedient()");
    expect(outcome).toMatchObject({
      status: "timed-out",
      state: { variables: "kept" },
      toolCalls: [{ tool: "slow.obedient", status: "cancelled", reached: true }],
    });
    expect(aborted).toEqual(["obedient"]);
    expect((await session.run("kept")).value).toBe(1);
  });

  it("and ignores that is left alone; its late answer is dropped and told with the next cell", async () => {
    const { toolkit, release } = stubbornTools();
    const session = start({ tools: [toolkit], limits: { maxWaitingMs: 300 } });
    const outcome = await session.run("kept = 1\ntools.slow.stubborn()");
    expect(outcome).toMatchObject({
      status: "timed-out",
      state: { variables: "kept" },
      toolCalls: [{ tool: "slow.stubborn", status: "cancelled", reached: true }],
    });
    expect(outcome.notices.join()).toContain("slow.stubborn was under way when the cell was stopped");
    for (const answer of release) answer();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const next = await session.run("kept");
    expect(next.value).toBe(1);
    expect(next.notices.join()).toContain(
      "slow.stubborn, called by cell 1 and cancelled, answered late; its answer was dropped",
    );
    expect((await session.run("kept")).notices).toEqual([]);
    expect(outcome.toolCalls).toMatchObject([{ status: "cancelled" }]);
  });

  it("while others have answered: each call is told by itself", async () => {
    const { toolkit } = stubbornTools();
    const session = start({ tools: [toolkit], limits: { maxWaitingMs: 1_000, maxToolCalls: 3 } });
    const outcome = await session.run(`
import asyncio
await slow.quick()
try:
    tools.slow.quick(wrong=1)
except TypeError:
    pass
await asyncio.gather(slow.obedient(), slow.quick())`);
    expect(outcome.status).toBe("timed-out");
    expect(outcome.toolCalls.map(({ tool, status, reached }) => [tool, status, reached])).toEqual([
      ["slow.quick", "completed", true],
      ["slow.obedient", "cancelled", true],
      ["slow.quick", "completed", true],
    ]);
  });
});

describe("what outlives its cell", () => {
  it.each(["True", "False"])(
    "a thread that never ends (daemon=%s) leaves the cell completed, and ends with the session",
    async (daemon) => {
      const session = start();
      const outcome = await session.run(`
import threading, time, os
def for_ever():
    while True: time.sleep(0.05)
threading.Thread(target=for_ever, daemon=${daemon}).start()
print("started")
os.getpid()`);
      expect(outcome).toMatchObject({ status: "completed", stdout: "started\n", state: { variables: "kept" } });
      expect(await session.run("threading.active_count()")).toMatchObject({ value: 2, generation: 1 });
      await session.close();
      expect(() => process.kill(outcome.value as number, 0)).toThrow();
    },
  );

  it("a child process that ignores SIGTERM ends with a killed cell's kernel", async () => {
    const session = start({ limits: { graceMs: 500 } });
    const first = await session.run(`
import subprocess
child = subprocess.Popen(['sh', '-c', 'trap "" TERM INT HUP; while true; do sleep 0.1; done'])
child.pid`);
    const outcome = await session.run(ignoresInterrupts, { timeoutMs: 1_500 });
    expect(outcome).toMatchObject({
      status: "timed-out",
      state: { variables: "lost", names: ["subprocess", "child"] },
    });
    await expect.poll(() => isRunning(first.value as number)).toBe(false);
  });

  it("a kernel that dies tells so at once, with the output and calls it had made", async () => {
    const { toolkit } = stubbornTools();
    const session = start({ tools: [toolkit] });
    await session.run("kept = 1");
    const outcome = await session.run("import os\ntools.slow.quick()\nprint('last words')\nos._exit(3)");
    expect(outcome).toMatchObject({
      status: "crashed",
      stdout: "last words\n",
      error: { code: "kernel/crashed" },
      state: { variables: "lost", names: ["kept"] },
      toolCalls: [{ status: "completed" }],
    });
  });

  it("names what a cell bound or changed, and nothing else", async () => {
    const session = start();
    await session.run("a = 1; b = [1]");
    const outcome = await session.run(
      "import json\na += 1\nb.append(2)\ndef f(): pass\nclass C: pass\nfor i in range(2): pass\n_ = 3",
    );
    expect(outcome.names.sort()).toEqual(["C", "_", "a", "f", "i", "json"]);
    const failed = await session.run("c = 1\n1 / 0\nd = 2");
    expect(failed).toMatchObject({ status: "failed", names: ["c"], error: { line: 2 } });
  });
});

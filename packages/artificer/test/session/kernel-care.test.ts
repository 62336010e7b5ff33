import { createKernelResidents, type KernelResidents } from "@artificer/runtime";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, Session, type SessionLimits } from "../../src/index.js";
import { hearLine } from "../support/hear-line.js";

describe("the room that kernels take", () => {
  const open: Session[] = [];
  let residents: KernelResidents = createKernelResidents();
  afterEach(async () => {
    await Promise.all(open.splice(0).map((session) => session.close()));
    residents = createKernelResidents();
  });

  function openSession(
    limits: Partial<SessionLimits> = {},
    more: ConstructorParameters<typeof Session>[0] = {},
  ): Session {
    const session = new Session({ embedder: null, residents, limits, ...more });
    open.push(session);
    return session;
  }

  const pidOf = async (session: Session) => (await session.run("import os; x = 1; os.getpid()")).value;

  it("ends a kernel that has been idle for its time, and says so once in the next outcome [M9]", async () => {
    const session = openSession({ kernelIdleTimeoutMs: 150 });
    const pid = await pidOf(session);
    await expect.poll(() => isRunning(pid as number)).toBe(false);
    // The notice is told by the next cell; after that the kernel may rest for as long as this machine takes.
    session.limits.kernelIdleTimeoutMs = 60_000;
    const next = await session.run("'x' in globals()");
    expect(next).toMatchObject({ status: "completed", value: false, generation: 2 });
    expect(next.notices).toEqual([
      expect.stringMatching(/idle for [\d.]+ s \(kernel_idle_timeout\).*variables are gone/s),
    ]);
    expect((await session.run("1")).notices).toEqual([]);
  });

  it("never ends a kernel that is busy, however long: with a cell, or with a thread's call of a tool [M9]", async () => {
    let answer: (value: string) => void = () => {};
    let asked = 0;
    const slow = createToolkit({
      name: "slow",
      description: "Waits for the test",
      tools: {
        ask: defineTool({
          description: "Waits",
          input: z.object({}),
          effect: "read",
          run: () =>
            new Promise<string>((resolve) => {
              asked++;
              answer = resolve;
            }),
        }),
        asked: defineTool({ description: "Tells", input: z.object({}), effect: "read", run: () => asked }),
      },
    });
    const session = openSession({ kernelIdleTimeoutMs: 100 }, { tools: [slow] });
    // The thread's call has begun before its cell ends: at no moment is the kernel idle.
    await session.run(
      "import threading, time\ntime.sleep(0.5)\ndone = []\nthread = threading.Thread(target=lambda: done.append(tools.slow.ask()))\nthread.start()\nwhile tools.slow.asked() == 0: time.sleep(0.01)",
    );
    await new Promise((resolve) => setTimeout(resolve, 400));
    const reading = session.run("thread.join(); done");
    answer("late");
    expect(await reading).toMatchObject({ value: ["late"], generation: 1 });
  });

  it("ends none when the machine's clock is set forward by a year [M9]", async () => {
    const session = openSession({ kernelIdleTimeoutMs: 60_000 });
    const other = openSession({ kernelIdleTimeoutMs: 60_000 });
    await session.run("x = 1");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 365 * 86_400_000 });
    try {
      await other.run("1");
      expect(await session.run("x")).toMatchObject({ value: 1, generation: 1 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps at most so many kernels over all sessions: the one unused for longest goes first [M9]", async () => {
    const [a, b, c] = [0, 1, 2].map(() => openSession({ maxSessionKernels: 2 })) as [Session, Session, Session];
    const first = await pidOf(a);
    const second = await pidOf(b);
    await a.run("1");
    await pidOf(c);
    await expect.poll(() => isRunning(second as number)).toBe(false);
    expect(isRunning(first as number)).toBe(true);
    expect(residents.count).toBe(2);
    expect((await a.run("x")).value).toBe(1);
    const next = await b.run("1");
    expect(next.generation).toBe(2);
    expect(next.notices).toEqual([expect.stringMatching(/at most 2 kernels are kept \(max_session_kernels\)/)]);
  });

  it("goes over the cap while all are busy, and back under it when one is not [M9]", async () => {
    const [a, b] = [openSession({ maxSessionKernels: 1 }), openSession({ maxSessionKernels: 1 })];
    await a.run("1");
    const stop = new AbortController();
    const busy = a.run("import time\nwhile True: time.sleep(0.01)", { signal: stop.signal });
    expect((await b.run("x = 2; x")).value).toBe(2);
    expect(residents.count).toBe(2);
    stop.abort();
    expect((await busy).status).toBe("interrupted");
    await expect.poll(() => residents.count).toBe(1);
    // The one that was used last.
    expect((await a.run("time.__name__")).value).toBe("time");
  });

  it("a cell that comes while its kernel is being ended is told of it all the same [M9]", async () => {
    const [a, b] = [openSession({ maxSessionKernels: 1 }), openSession({ maxSessionKernels: 1 })];
    await a.run("x = 1");
    const [, outcome] = await Promise.all([b.run("1"), b.run("2").then(() => a.run("1"))]);
    expect(outcome.generation).toBe(2);
    expect(outcome.notices).toHaveLength(1);
  });

  it("gives a sub-agent kernels of its own, exempt from cap and idle time, that end with the parent [M12]", async () => {
    const parent = openSession({ maxSessionKernels: 1, kernelIdleTimeoutMs: 100 });
    await parent.run("x = 'parent'");
    const children = [0, 1, 2].map(() => new Session({ parent }));
    const pids = await Promise.all(children.map(pidOf));
    expect((await children[0]!.run("x = 'child'; x")).value).toBe("child");
    expect((await children[1]!.run("x")).value).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((pids as number[]).map(isRunning)).toEqual([true, true, true]);
    await children[2]!.close();
    expect((pids as number[]).map(isRunning)).toEqual([true, true, false]);
    await parent.close();
    expect((pids as number[]).map(isRunning)).toEqual([false, false, false]);
    await expect(children[0]!.run("1")).rejects.toMatchObject({ code: "session/closed" });
    expect(() => new Session({ parent })).toThrow(expect.objectContaining({ code: "session/closed" }));
  });

  it("lends a sub-agent the parent's parts, and leaves them open when it ends [M12]", async () => {
    const parent = openSession({}, { tools: [adder()], env: { SHARED: "yes" } });
    await parent.saveArtifact("note", "kept");
    const child = new Session({ parent });
    const used = "import os\n(tools.adder.add(a=1, b=2), artifacts.load('note'), os.environ['SHARED'])";
    expect((await child.run(used)).value).toEqual([3, "kept", "yes"]);
    expect(child.id).not.toBe(parent.id);
    await child.close();
    expect((await parent.run(used)).value).toEqual([3, "kept", "yes"]);
  });

  it("starts no kernel for cells that still wait when the session is closed", async () => {
    const session = openSession();
    await session.run("1");
    const begun = hearLine();
    const running = session.run("import time; print('begun'); time.sleep(30)", { onOutput: begun.hear });
    const waiting = session.run("1");
    await begun.line;
    await session.close();
    expect((await running).status).toBe("crashed");
    expect(await waiting).toMatchObject({ status: "refused", error: { code: "kernel/closed" } });
  });
});

function adder() {
  return createToolkit({
    name: "adder",
    description: "Adds",
    tools: {
      add: defineTool({
        description: "Adds",
        input: z.object({ a: z.number(), b: z.number() }),
        effect: "read",
        run: async ({ a, b }) => a + b,
      }),
    },
  });
}

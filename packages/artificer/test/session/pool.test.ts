import { setTimeout as delay } from "node:timers/promises";
import { createKernelPool, type KernelPool } from "@artificer/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { createPythonKernel, createSubprocessExecutor, type Executor, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();

describe("a pool of kernels", () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const part of open.splice(0).reverse()) await part.close();
  });

  function openPool(executor: Executor = createSubprocessExecutor(), size = 1): KernelPool {
    const pool = createKernelPool({ executor, size, refillDelayMs: 1 });
    open.push(pool);
    return pool;
  }

  function openSession(pool: KernelPool, options: ConstructorParameters<typeof Session>[0] = {}): Session {
    const session = new Session({ executor: pool, programs: [createPythonKernel()], embedder: null, ...options });
    open.push(session);
    return session;
  }

  const filled = (pool: KernelPool, spares = 1) => expect.poll(() => pool.status.spares).toBe(spares);

  it("gives a session a kernel that was there before it, in the session's own folder, environment and zone", async () => {
    const pool = openPool();
    const cwd = await temp();
    openSession(pool);
    await filled(pool);
    const session = openSession(pool, { id: "mine", cwd, env: { TZ: "Etc/GMT-7", ONLY_MINE: "yes" } });
    const { value } = await session.run(
      "import os, time\n(os.getcwd(), os.environ['ARTIFICER_SESSION'], os.environ['ONLY_MINE'], time.timezone)",
    );
    expect(value).toEqual([cwd, "mine", "yes", -7 * 3600]);
    expect(pool.status).toMatchObject({ handedOver: 1, startedCold: 0 });
  });

  it("gives a spare nothing of the session before", async () => {
    const pool = openPool();
    const first = openSession(pool, { env: { FIRST_ONLY: "1" } });
    await first.run("import os; os.environ['MADE_BY_CELL'] = '1'; x = 1");
    await first.close();
    await filled(pool);
    const second = openSession(pool);
    const read = "import os\n('FIRST_ONLY' in os.environ, 'MADE_BY_CELL' in os.environ, 'x' in globals())";
    expect((await second.run(read)).value).toEqual([false, false, false]);
    expect((await second.run("open('/proc/self/environ').read()")).value).not.toContain("FIRST_ONLY");
  });

  it("keeps kernels under other limits apart", async () => {
    const pool = openPool();
    openSession(pool);
    await filled(pool);
    const bound = openSession(pool, { limits: { openFiles: 64 } });
    await filled(pool, 2);
    const limit = "import resource; resource.getrlimit(resource.RLIMIT_NOFILE)[0]";
    expect((await bound.run(limit)).value).toBe(64);
  });

  it("passes over a spare that died while it waited", async () => {
    const executor = createSubprocessExecutor();
    const pids: number[] = [];
    const pool = openPool({
      ...executor,
      async start(spec, options) {
        const channel = await executor.start(spec, options);
        pids.push(channel.pid!);
        return channel;
      },
    });
    const session = openSession(pool);
    await filled(pool);
    process.kill(pids[0]!, "SIGKILL");
    // At once, before the pool can have heard of it.
    expect(await session.run("1 + 1")).toMatchObject({ status: "completed", value: 2 });
    expect(pids.length).toBeGreaterThan(1);
  });

  it("starts kernels as if it were not there when the executor or the program can't hand over", async () => {
    const executor = createSubprocessExecutor();
    const fixed = { ...executor.capabilities, handOver: false };
    const pool = openPool({ ...executor, capabilities: fixed });
    expect((await openSession(pool).run("1")).status).toBe("completed");
    expect(pool.status).toMatchObject({ spares: 0, handedOver: 0, startedCold: 1 });
  });

  it("tells of a folder that is not there as a start without a pool does, and goes on", async () => {
    const pool = openPool();
    openSession(pool);
    await filled(pool);
    const session = openSession(pool, { cwd: "/no/such/folder" });
    expect(await session.run("1")).toMatchObject({ status: "refused", error: { code: "kernel/start-failed" } });
    await filled(pool);
  });

  it("serves many sessions at once, none with another's kernel", async () => {
    const pool = openPool(createSubprocessExecutor(), 3);
    const sessions = Array.from({ length: 8 }, (_, at) => openSession(pool, { id: `s${at}` }));
    const read = "import os\n(os.getpid(), os.environ['ARTIFICER_SESSION'])";
    const values = await Promise.all(
      sessions.map(async (session) => (await session.run(read)).value as [number, string]),
    );
    expect(values.map(([, id]) => id)).toEqual(sessions.map(({ id }) => id));
    expect(new Set(values.map(([pid]) => pid)).size).toBe(8);
  });

  it("makes a restarted session's next kernel ready beforehand", async () => {
    const session = new Session({ pool: 1, embedder: null });
    open.push(session);
    await session.run("x = 1");
    await session.restart();
    const outcome = await session.run("'x' in globals()");
    expect(outcome).toMatchObject({ value: false, generation: 2 });
    expect(outcome.notices).toEqual([expect.stringContaining("restarted on request")]);
  });

  it("ends its spares when it is closed, also one that is just being started", async () => {
    const executor = createSubprocessExecutor();
    const ends: Promise<unknown>[] = [];
    const pool = createKernelPool({
      executor: {
        ...executor,
        async start(spec, options) {
          const channel = await executor.start(spec, options);
          ends.push(channel.exited);
          await delay(20);
          return channel;
        },
      },
      size: 2,
    });
    openSession(pool);
    await expect.poll(() => ends.length).toBe(2);
    await pool.close();
    await Promise.all(ends);
    expect(pool.status.spares).toBe(0);
  });

  it("refuses a size that is none", () => {
    expect(() => createKernelPool({ executor: createSubprocessExecutor(), size: -1 })).toThrow(
      expect.objectContaining({ code: "config/invalid" }),
    );
  });
});

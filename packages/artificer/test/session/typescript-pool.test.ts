import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createKernelPool, type KernelPool } from "@artificer/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { createSubprocessExecutor, createTypescriptKernel, Session, type SessionOptions } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();

describe("a pool of TypeScript kernels", () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const part of open.splice(0).reverse()) await part.close();
  });

  function openPool(): KernelPool {
    const pool = createKernelPool({ executor: createSubprocessExecutor(), size: 1, refillDelayMs: 1 });
    open.push(pool);
    return pool;
  }

  function openSession(pool: KernelPool, options: SessionOptions = {}) {
    const session = new Session({ executor: pool, programs: [createTypescriptKernel()], embedder: null, ...options });
    open.push(session);
    return { session, run: (code: string) => session.run(code, { language: "typescript" }) };
  }

  const filled = (pool: KernelPool, spares = 1) => expect.poll(() => pool.status.spares).toBe(spares);

  it("gives a session a kernel that was there before it, in the session's own folder, environment and zone", async () => {
    const pool = openPool();
    const cwd = await temp();
    await writeFile(join(cwd, "near.mjs"), "export const near = 'here';");
    await writeFile(join(cwd, "old.cjs"), "module.exports = 'required';");
    openSession(pool);
    await filled(pool);
    const { run } = openSession(pool, { id: "mine", cwd, env: { TZ: "Etc/GMT-7", ONLY_MINE: "yes" } });
    const { value, error } = await run(
      `import { near } from "./near.mjs";
[process.cwd(), process.env.ARTIFICER_SESSION, process.env.ONLY_MINE, new Date(0).getTimezoneOffset(), near, require("./old.cjs"), import.meta.dirname]`,
    );
    expect(error).toBeUndefined();
    expect(value).toEqual([cwd, "mine", "yes", -7 * 60, "here", "required", cwd]);
    expect(pool.status).toMatchObject({ handedOver: 1, startedCold: 0 });
  });

  it("gives a spare nothing of the session before", async () => {
    const pool = openPool();
    const first = openSession(pool, { env: { FIRST_ONLY: "1" } });
    await first.run("process.env.MADE_BY_CELL = '1'; var x = 1; await share('x', 1)");
    await first.session.close();
    await filled(pool);
    const { run } = openSession(pool);
    const read = "['FIRST_ONLY' in process.env, 'MADE_BY_CELL' in process.env, typeof x, Object.keys(shared).length]";
    expect((await run(read)).value).toEqual([false, false, "undefined", 0]);
  });

  it("keeps kernels under other limits apart", async () => {
    const pool = openPool();
    openSession(pool);
    await filled(pool);
    const bound = openSession(pool, { limits: { openFiles: 64 } });
    await filled(pool, 2);
    const limit =
      "import { execFileSync } from 'node:child_process'; execFileSync('sh', ['-c', 'ulimit -n']).toString().trim()";
    expect((await bound.run(limit)).value).toBe("64");
  });

  it("tells a folder that is not there, as Python's does", async () => {
    const pool = openPool();
    openSession(pool);
    await filled(pool);
    const { run } = openSession(pool, { cwd: join(await temp(), "missing") });
    const outcome = await run("1");
    expect(outcome).toMatchObject({ status: "refused", error: { code: "kernel/start-failed" } });
    expect(outcome.error?.message).toContain("working folder");
  });
});

describe("the limits of the operating system on a TypeScript kernel", () => {
  const open: Session[] = [];
  afterEach(() => Promise.all(open.splice(0).map((session) => session.close())));

  async function openBound(options: SessionOptions) {
    const session = new Session({ embedder: null, cwd: await temp(), pool: 0, ...options });
    open.push(session);
    return (code: string) => session.run(code, { language: "typescript" });
  }

  it("tell an allocation that was too large, and keep the variables", async () => {
    const run = await openBound({ limits: { memoryBytes: 1500 << 20 } });
    await run("const x = 1");
    expect(await run("new Uint8Array(2e9)")).toMatchObject({
      status: "failed",
      error: { code: "cell/memory-limit", hint: expect.stringContaining("code_execution.memory") },
      state: { variables: "kept" },
    });
    expect((await run("x")).value).toBe(1);
  });

  it("that leave Node no room to start are told with how much it takes", async () => {
    const run = await openBound({ limits: { memoryBytes: 200 << 20 } });
    const { status, error } = await run("1");
    expect(status).toBe("refused");
    expect(error?.hint).toMatch(/1024 MB of address space.*code_execution\.memory/);
  });

  it("tell a heap that grew beyond all bounds as the kernel's end, with the likely reason", async () => {
    const run = await openBound({ programs: [createTypescriptKernel({ nodeFlags: ["--max-old-space-size=64"] })] });
    const outcome = await run("const kept = []; while (true) kept.push(new Array(1e5).fill(1.5))");
    expect(outcome).toMatchObject({ status: "crashed", state: { variables: "lost" } });
    expect(outcome.error?.hint).toContain("for want of memory");
    expect((await run("1")).value).toBe(1);
  });

  it("tell too many open files", async () => {
    const run = await openBound({ limits: { openFiles: 64 } });
    const greedy =
      "import { openSync, closeSync } from 'node:fs';\nconst kept: number[] = [];\nwhile (true) kept.push(openSync('/dev/null'));";
    expect(await run(greedy)).toMatchObject({
      status: "failed",
      error: { code: "cell/open-files-limit", line: 3, hint: expect.stringContaining("code_execution.open_files") },
    });
    expect((await run("kept.forEach((fd) => closeSync(fd)); 1")).value).toBe(1);
  });

  it("tell a file that grew too large, written by the cell or by a program that it started", async () => {
    const run = await openBound({ limits: { fileBytes: 64 << 10 } });
    const told = {
      status: "failed",
      error: { code: "cell/file-size-limit", hint: expect.stringContaining("code_execution.file_size") },
    };
    expect(
      await run("import { writeFileSync } from 'node:fs'; writeFileSync('big', new Uint8Array(1 << 20))"),
    ).toMatchObject(told);
    const program =
      "import { execFileSync } from 'node:child_process'; execFileSync('sh', ['-c', 'exec head -c 1000000 /dev/zero > big'])";
    expect(await run(program)).toMatchObject(told);
    expect((await run("writeFileSync('small', 'ok'); 1")).value).toBe(1);
  });

  it("end a kernel that used up its processor time, and tell what was lost", async () => {
    const run = await openBound({ limits: { cpuSeconds: 2 } });
    expect(await run("while (true);")).toMatchObject({
      status: "crashed",
      error: { code: "cell/cpu-limit", hint: expect.stringContaining("code_execution.cpu") },
      state: { variables: "lost" },
    });
  });

  it("are not blamed for errors of the same number that they did not make", async () => {
    const run = await openBound({});
    const code = "throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })";
    expect((await run(code)).error).toMatchObject({ code: "cell/exception" });
  });
});

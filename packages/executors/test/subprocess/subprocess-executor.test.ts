import { execFileSync } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Executor, KernelSpec } from "@artificer/protocol";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSubprocessExecutor } from "../../src/subprocess/index.js";
import { listen } from "../support/listen.js";
import { shellProgram } from "../support/shell-program.js";

describe("the subprocess executor", () => {
  let executor: Executor;
  let cwd: string;
  beforeEach(async () => {
    executor = createSubprocessExecutor({ programs: [shellProgram("")] });
    cwd = await realpath(await mkdtemp(join(tmpdir(), "artificer-executor-")));
  });
  afterEach(async () => {
    await executor.close();
    await rm(cwd, { recursive: true, force: true });
  });

  function spec(script: string, more: Partial<KernelSpec> = {}): KernelSpec {
    return { program: shellProgram(script), cwd, env: { PATH: process.env.PATH ?? "" }, limits: {}, ...more };
  }

  it("carries bytes both ways, output apart from them, and tells the end", async () => {
    const channel = await executor.start(spec("echo out; echo err >&2; head -c 5 <&3 >&3; exit 7"));
    const heard = listen(channel);
    channel.send([Buffer.from("he"), Buffer.from("llo")]);
    expect(await channel.exited).toEqual({ code: 7, signal: null });
    expect(heard).toEqual({ wire: "hello", stdout: "out\n", stderr: "err\n" });
  });

  it("gives the kernel exactly the environment, the folder and an empty stdin", async () => {
    process.env.ARTIFICER_TEST_SECRET = "leaked";
    const channel = await executor.start(
      spec("env | sort; pwd; cat; echo end", { env: { PATH: "/usr/bin:/bin", ONLY: "this" } }),
    );
    const heard = listen(channel);
    await channel.exited;
    delete process.env.ARTIFICER_TEST_SECRET;
    expect(heard.stdout).toContain("ONLY=this\n");
    expect(heard.stdout).not.toContain("ARTIFICER_TEST_SECRET");
    expect(heard.stdout).toContain(`${cwd}\nend\n`);
  });

  it("keeps what arrives before a reader is set", async () => {
    const channel = await executor.start(spec("printf early >&3; printf output"));
    await channel.exited;
    expect(listen(channel)).toMatchObject({ wire: "early", stdout: "output" });
  });

  it("ends a descendant that left the group", async () => {
    const channel = await executor.start(spec("setsid sh -c 'echo $$; while :; do sleep 1; done' & wait"));
    const heard = listen(channel);
    await expect.poll(() => heard.stdout).toMatch(/^\d+\n$/);
    const child = Number(heard.stdout);
    expect(isRunning(child)).toBe(true);
    await channel.kill();
    expect(isRunning(child)).toBe(false);
  });

  it("leaves no process of its own behind once its kernels are gone", async () => {
    const channel = await executor.start(spec("sleep 100"));
    const guards = () =>
      execFileSync("ps", ["-A", "-o", "ppid=,stat=,args="])
        .toString()
        .split("\n")
        .filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes("groups=") && !/ Z/.test(line));
    await expect.poll(() => guards().length).toBe(1);
    await channel.kill();
    await expect.poll(guards).toEqual([]);
  });

  it("ends the whole group, with a child that ignores SIGTERM", async () => {
    const channel = await executor.start(
      spec("sh -c 'trap \"\" TERM HUP INT; echo $$; while :; do sleep 1; done' & wait"),
    );
    const heard = listen(channel);
    await expect.poll(() => heard.stdout).toMatch(/^\d+\n$/);
    const child = Number(heard.stdout);
    expect(isRunning(child)).toBe(true);
    await channel.kill();
    expect(isRunning(child)).toBe(false);
    expect(await channel.exited).toEqual({ code: null, signal: "SIGKILL" });
    await channel.kill();
  });

  it("ends what the kernel started when the kernel ends by itself", async () => {
    const channel = await executor.start(spec("sleep 1000 & echo $!; exit 3"));
    const heard = listen(channel);
    expect(await channel.exited).toEqual({ code: 3, signal: null });
    await expect.poll(() => isRunning(Number(heard.stdout))).toBe(false);
  });

  it("does not wait for output that a stranger to the group holds open", async () => {
    const channel = await executor.start(spec("setsid sleep 1000 & echo $!; sleep 0.2; exit 0"));
    const heard = listen(channel);
    expect(await channel.exited).toEqual({ code: 0, signal: null });
    const stranger = Number(heard.stdout);
    expect(isRunning(stranger)).toBe(true);
    process.kill(stranger, "SIGKILL");
  });

  it("is silent about bytes sent to a dead kernel", async () => {
    const channel = await executor.start(spec("exit 0"));
    channel.send([Buffer.alloc(1 << 20)]);
    await channel.exited;
    channel.send([Buffer.from("late")]);
    expect(await channel.exited).toMatchObject({ code: 0 });
  });

  it("closes every kernel it started", async () => {
    const channels = await Promise.all([executor.start(spec("sleep 1000")), executor.start(spec("sleep 1000"))]);
    await executor.close();
    for (const channel of channels) expect(await channel.exited).toMatchObject({ signal: "SIGKILL" });
  });

  it("says why a kernel can't start", async () => {
    await expect(executor.start(spec("", { interpreter: "/no/such/program" }))).rejects.toMatchObject({
      code: "kernel/start-failed",
      message: expect.stringContaining("ENOENT"),
      hint: expect.stringContaining("/no/such/program"),
    });
    await expect(executor.start(spec("", { cwd: join(cwd, "absent") }))).rejects.toMatchObject({
      code: "kernel/start-failed",
      details: { cwd: join(cwd, "absent") },
    });
    await expect(executor.start(spec(""), { signal: AbortSignal.abort() })).rejects.toThrow("abort");
  });

  it("sets the operating system's limits before the kernel begins", async () => {
    const limits = { memoryBytes: 64 << 20, cpuSeconds: 5, openFiles: 64, fileBytes: 1 << 20, processes: 500 };
    const channel = await executor.start(spec("cat /proc/self/limits 2>/dev/null || ulimit -a", { limits }));
    const heard = listen(channel);
    await channel.exited;
    const row = (name: string) => new RegExp(`${name}\\s+(\\d+)`).exec(heard.stdout)?.[1];
    expect(row("Max address space")).toBe(String(64 << 20));
    expect(row("Max cpu time")).toBe("5");
    expect(row("Max open files")).toBe("64");
    expect(row("Max file size")).toBe(String(1 << 20));
    expect(row("Max processes")).toBe("500");
  });

  it("names the limit when processor time ran out", async () => {
    const channel = await executor.start(spec("while :; do :; done", { limits: { cpuSeconds: 1 } }));
    expect(await channel.exited).toMatchObject({ limit: "cpu" });
  });

  it("refuses a limit that is no positive number", async () => {
    await expect(executor.start(spec("", { limits: { memoryBytes: Number.NaN } }))).rejects.toMatchObject({
      code: "executor/unsupported",
      message: expect.stringContaining("memoryBytes"),
    });
  });

  it("tells what it can do and whether it can be used here", async () => {
    expect(executor.capabilities).toMatchObject({ isolation: "process", kill: true });
    expect(await executor.probe()).toEqual({ usable: true, facts: { python: "1 at /bin/sh" } });
  });
});

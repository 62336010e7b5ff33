import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";
import { createTypescriptKernel } from "@artificer/kernel-typescript";
import type { KernelChannel, KernelProgram } from "@artificer/protocol";
import { type ExecutorUnderTest, openCase } from "@artificer/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createInprocessExecutor } from "../../src/inprocess/index.js";

describe("the in-process executor", () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function open(under: Partial<ExecutorUnderTest> = {}) {
    const executor = createInprocessExecutor();
    const programs = [createPythonKernel(), createTypescriptKernel()];
    const context = await openCase("typescript", async () => ({
      executor,
      programs,
      ...under,
      close: () => executor.close(),
    }));
    closing.push(() => context.close());
    return context;
  }

  function folder(): string {
    const made = realpathSync(mkdtempSync(join(tmpdir(), "artificer-inprocess-")));
    closing.push(() => rmSync(made, { recursive: true, force: true }));
    return made;
  }

  /** A kernel program that is any script: what it prints and how it ends is the executor's matter alone. */
  async function start(script: string, limits = {}): Promise<{ channel: KernelChannel; printed: () => string }> {
    const place = folder();
    writeFileSync(join(place, "script.cjs"), script);
    const program = { ...createTypescriptKernel(), folder: place, thread: { script: "script.cjs", flags: [] } };
    const executor = createInprocessExecutor();
    closing.push(() => executor.close());
    const channel = await executor.start({ program: program as KernelProgram, cwd: process.cwd(), env: {}, limits });
    let printed = "";
    channel.onOutput = (_, chunk) => {
      printed += Buffer.from(chunk).toString();
    };
    return { channel, printed: () => printed };
  }

  it("says once that nothing isolates its cells [P7]", async () => {
    const { session, run } = await open();
    expect(session.problems).toMatchObject([
      { code: "executor/no-isolation", hint: expect.stringContaining("sandbox") },
    ]);
    await run("1");
    await session.restart("typescript");
    await run("1");
    expect(session.problems).toHaveLength(1);
  });

  it("refuses by name what can't be a thread of its host: another language, another folder, another interpreter", async () => {
    const refused = (message: string) => ({
      status: "refused",
      error: { code: "executor/unsupported", message: expect.stringContaining(message) },
    });
    expect(await (await open()).session.run("1 + 1", { language: "python" })).toMatchObject(
      refused("no python kernel"),
    );
    const place = folder();
    expect(await (await open({ cwd: place })).run("1")).toMatchObject(refused(place));
    expect(await (await open({ options: { interpreters: { typescript: "/no/such/node" } } })).run("1")).toMatchObject(
      refused("/no/such/node"),
    );
  });

  it("keeps a cell from the host's own descriptors and standard streams, and gives it those of files that it opens", async () => {
    const { run } = await open();
    const place = folder();
    const mine = openSync(join(place, "of-the-host"), "w+");
    const attempt = `
import fs from "node:fs"
const told = {}
for (const [name, act] of Object.entries({
  write: () => fs.writeSync(${mine}, "evil"),
  close: () => fs.closeSync(${mine}),
  stat: () => fs.fstatSync(${mine}),
  stream: () => fs.createWriteStream("", { fd: ${mine} }),
})) try { act(); told[name] = "done" } catch (error) { told[name] = error.code }
told.later = await new Promise((resolve) => { try { fs.write(${mine}, "evil", () => resolve("done")) } catch (error) { resolve(error.code) } })
const own = fs.openSync(${JSON.stringify(join(place, "own"))}, "w")
fs.writeSync(own, "kept")
fs.closeSync(own)
told`;
    const refused = "executor/unsupported";
    expect((await run(attempt)).value).toEqual({
      write: refused,
      close: refused,
      stat: refused,
      stream: refused,
      later: refused,
    });
    closeSync(mine);
    expect(readFileSync(join(place, "of-the-host"), "utf8")).toBe("");
    expect(readFileSync(join(place, "own"), "utf8")).toBe("kept");
    const streams = `import fs from "node:fs"
process.stdout.write("a")
fs.writeSync(1, Buffer.from("-bcd-"), 1, 3)
fs.writeSync(1, "e")
await new Promise((resolve) => fs.write(2, "f", resolve))
fs.readFileSync(0, "utf8") + fs.readSync(0, Buffer.alloc(4))`;
    expect(await run(streams)).toMatchObject({ value: "0", stdout: "abcde", stderr: "f" });
  });

  it("reads a child's output, and refuses to wait for one where it could not be interrupted", async () => {
    const { run } = await open();
    const child = `import { execFile, spawn, spawnSync } from "node:child_process"
import { promisify } from "node:util"
const { stdout } = await promisify(execFile)("echo", ["heard"])
stdout`;
    expect((await run(child)).value).toBe("heard\n");
    for (const code of [
      'spawn("echo", ["lost"], { stdio: "inherit" })',
      'spawn("echo", [], { stdio: ["ignore", 1, 2] })',
    ])
      expect(await run(code)).toMatchObject({ status: "failed", error: { code: "executor/unsupported" } });
    expect(await run('spawnSync("sleep", ["100"])')).toMatchObject({ error: { code: "executor/unsupported" } });
    for (const code of ["process.kill(0)", "process.kill(process.pid)", "process.kill(-1)", 'process.chdir("/")'])
      expect(await run(code), code).toMatchObject({ status: "failed", error: { code: "executor/unsupported" } });
  });

  it("ends a kernel that fills its heap, tells why, and lives on itself", async () => {
    const { run } = await open({ options: { limits: { memoryBytes: 96 << 20 } } });
    await run("const x = 1");
    const outcome = await run("const held = []\nfor (;;) held.push(new Array(10_000).fill(0.5))");
    expect(outcome).toMatchObject({
      status: "crashed",
      error: { code: "cell/memory-limit" },
      state: { variables: "lost" },
    });
    expect(await run("1 + 1")).toMatchObject({ value: 2, generation: 2 });
  });

  it("ends code that no interrupt reaches, with what it had printed", async () => {
    const { channel, printed } = await start(
      'const { workerData } = require("node:worker_threads"); workerData.output.postMessage({ stream: "stdout", bytes: Buffer.from("up") }); for (;;);',
    );
    await expect.poll(printed).toBe("up");
    await channel.kill();
    expect(await channel.exited).toMatchObject({ signal: null });
  });

  it("tells a thread that ends by itself, by an exception or by process.exit, with its status and its words", async () => {
    const thrown = await start('console.log("words"); throw new Error("no");');
    expect(await thrown.channel.exited).toEqual({ code: 1, signal: null });
    expect(thrown.printed()).toMatch(/^words\nError: no\n/);
    const left = await start('process.stdout.write("words"); process.exit(7);');
    expect(await left.channel.exited).toEqual({ code: 7, signal: null });
    expect(left.printed()).toBe("words");
    await expect(start("", { memoryBytes: -1 })).rejects.toMatchObject({ code: "executor/unsupported" });
  });

  it("runs several kernels beside each other, each interrupted without the others", async () => {
    // An interrupt lands as soon as the machine gets to it; a kernel that is killed instead would lose its variable.
    const patient = { options: { limits: { graceMs: 20_000 } } };
    const sessions = await Promise.all([open(patient), open(patient), open(patient)]);
    const outcomes = await Promise.all(
      sessions.map(({ run }, index) =>
        run(`let n = ${index}\n${index === 1 ? "for (;;);" : "await new Promise((r) => setTimeout(r, 1_500)); n"}`, {
          timeoutMs: index === 1 ? 1_000 : 60_000,
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["completed", "timed-out", "completed"]);
    expect((await sessions[1]!.run("n")).value).toBe(1);
  });

  it("interrupts kernels whose host is itself busy, time after time, and loses neither a variable nor the next cell", async () => {
    const patient = { options: { limits: { graceMs: 20_000 } } };
    const sessions = await Promise.all([open(patient), open(patient)]);
    // Orders to a kernel pass through the host's own thread: here they come late, and several at once.
    const busy = setInterval(() => {
      for (const until = performance.now() + 320; performance.now() < until; );
    }, 10);
    closing.push(() => clearInterval(busy));
    const endless = [
      "for (;;);",
      "await 0; for (;;);",
      "for (;;) await null",
      "setTimeout(() => { for (;;); }); await new Promise(() => {})",
    ];
    await Promise.all(
      sessions.map(async ({ run }, index) => {
        await run(`let kept = ${index}`);
        for (const code of endless) {
          expect(await run(code, { timeoutMs: 100 })).toMatchObject({ status: "timed-out", generation: 1 });
          expect(await run("kept")).toMatchObject({ value: index, generation: 1 });
        }
      }),
    );
  });
});

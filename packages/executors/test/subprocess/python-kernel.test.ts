import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPythonKernel } from "@artificer/kernel-python";
import { encodeFrame, FrameDecoder } from "@artificer/protocol";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSubprocessExecutor } from "../../src/subprocess/index.js";

describe("a Python kernel under the subprocess executor", () => {
  const executor = createSubprocessExecutor({ programs: [createPythonKernel()] });
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "artificer-python-"));
  });
  afterEach(async () => {
    await executor.close();
    await rm(cwd, { recursive: true, force: true });
  });

  const start = {
    wire: 1,
    key: "k",
    session: "s",
    generation: 1,
    bindings: { toolkits: [] },
    limits: { maxValueBytes: 1000, maxReprChars: 1000, maxDisplayBytes: 1000, maxDisplays: 1 },
  };

  async function open(limits = {}) {
    const channel = await executor.start({
      program: createPythonKernel(),
      cwd,
      env: { PATH: process.env.PATH ?? "" },
      limits,
    });
    const decoder = new FrameDecoder();
    const answers: Record<string, unknown>[] = [];
    channel.onBytes = (chunk) =>
      answers.push(...decoder.push(chunk).map((frame) => frame.header as Record<string, unknown>));
    channel.send(encodeFrame({ type: "request", id: 1, method: "kernel.start", params: start }));
    let id = 1;
    return {
      channel,
      async run(code: string) {
        channel.send(encodeFrame({ type: "request", id: ++id, method: "cell.run", params: { cell: id, code } }));
        await expect.poll(() => answers.some((answer) => answer.id === id)).toBe(true);
        return answers.find((answer) => answer.id === id)?.value;
      },
    };
  }

  it("answers the handshake and runs a cell", async () => {
    const { run } = await open();
    expect(await run("1 + 1")).toMatchObject({ status: "completed", value: 2 });
  });

  it("turns the memory limit into an error of the cell", async () => {
    const { run } = await open({ memoryBytes: 400 << 20 });
    expect(await run("a = []\nwhile True: a.append(bytearray(1 << 20))")).toMatchObject({
      status: "failed",
      error: { type: "MemoryError", code: "cell/memory-limit" },
    });
    expect(await run("del a\n1")).toMatchObject({ value: 1 });
  });

  it("leaves no process behind when its host dies without a word", async () => {
    const host = spawn(
      process.execPath,
      [fileURLToPath(new URL("../support/abandoning-host.mjs", import.meta.url)), cwd],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let printed = "";
    host.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    await expect.poll(() => printed).toMatch(/^\d+ \d+\n$/);
    const pids = printed.trim().split(" ").map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    host.kill("SIGKILL");
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
  });
});

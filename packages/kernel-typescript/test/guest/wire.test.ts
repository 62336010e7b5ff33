import { spawnSync } from "node:child_process";
import { isRunning } from "@artificer/testkit/services";
import { describe, expect, test } from "vitest";
import { createTypescriptKernel } from "../../src/index.js";
import { ScriptedHost } from "../scripted-host.js";

describe("the private channel", () => {
  test("is not inherited by children, nor are forged frames on the streams taken for frames", async () => {
    await using host = await ScriptedHost.open();
    const { value } = await host.cell(
      'import { execFileSync } from "node:child_process"; execFileSync("sh", ["-c", "(echo forged >&3) 2>/dev/null && echo open || echo closed"]).toString()',
    );
    expect(value).toBe("closed\n");
    await host.cell("process.stdout.write(Buffer.from([0, 0, 0, 2, 0, 0, 0, 0, 123, 125]))");
    expect((await host.cell("1")).value).toBe(1);
  });

  test("ends the kernel when it ends, also in the middle of a busy cell", async () => {
    for (const code of ["1", "for (;;) {}", "await new Promise(() => {})"]) {
      const host = await ScriptedHost.open();
      const running = host.cell(`console.log('begun'); ${code}`).catch(() => undefined);
      while (!host.stdout.includes("begun\n")) await new Promise((resolve) => setTimeout(resolve, 5));
      host.hangUp();
      expect((await host.exited).signal).toBe("SIGKILL");
      await running;
      await host.close();
    }
  });

  test("ends what cells have started when it ends, also in groups of their own", async () => {
    for (const then of ["", "console.log('begun'); for (;;) {}"]) {
      const host = await ScriptedHost.open();
      const pids: number[] = [];
      const spawning = [
        'import { spawn } from "node:child_process";',
        'const started = [false, true].map((detached) => spawn("sleep", ["1000"], { detached, stdio: "ignore" }));',
        'started.push(spawn("sh", ["-c", "sleep 1000 & echo $!; wait"], { detached: true }));',
        'const below = await new Promise((r) => started[2].stdout.once("data", (line) => r(Number(line))));',
        "[...started.map(({ pid }) => pid), below]",
      ].join("\n");
      pids.push(...((await host.cell(spawning)).value as number[]));
      expect(pids).toHaveLength(4);
      const running = then === "" ? undefined : host.cell(then).catch(() => undefined);
      while (then !== "" && !host.stdout.includes("begun\n")) await new Promise((resolve) => setTimeout(resolve, 5));
      host.hangUp();
      await host.exited;
      await running;
      await expect.poll(() => pids.filter(isRunning)).toEqual([]);
      await host.close();
    }
  });

  test("is told of a kernel that a cell kills or breaks", async () => {
    for (const code of [
      "process.kill(process.pid, 'SIGKILL')",
      "process.abort()",
      'import fs from "node:fs"; fs.closeSync(3); await new Promise((r) => setTimeout(r, 50)); 1',
    ]) {
      const host = await ScriptedHost.open();
      await expect(host.cell(code)).rejects.toThrow("The kernel ended");
      await host.close();
    }
  });

  test("carries sixteen megabytes of bytes both ways", async () => {
    await using host = await ScriptedHost.open({
      limits: { maxValueBytes: 1e9 },
      answer: () => new Uint8Array(2 ** 24).fill(3),
    });
    const back = await host.cell("const bytes = await artifacts.load('big'); [bytes.length, bytes[2 ** 24 - 1]]");
    expect(back.value).toEqual([2 ** 24, 3]);
    const { value } = await host.cell("bytes");
    expect((value as Uint8Array).length).toBe(2 ** 24);
    expect((value as Uint8Array).every((byte) => byte === 3)).toBe(true);
  });
});

describe("the program", () => {
  test("finds the running Node, refuses what is none, and what is too old", async () => {
    const program = createTypescriptKernel();
    expect(await program.findInterpreter()).toMatchObject({ path: process.execPath, version: process.versions.node });
    await expect(program.findInterpreter({ path: "/nowhere/node" })).rejects.toMatchObject({
      code: "kernel/interpreter-missing",
    });
    await expect(program.findInterpreter({ path: "/bin/echo" })).rejects.toMatchObject({
      code: "kernel/interpreter-missing",
    });
  });

  test("runs without any package beside it", () => {
    const { folder } = createTypescriptKernel();
    const run = spawnSync(process.execPath, ["--experimental-import-meta-resolve", `${folder}/main.cjs`, "bad"], {
      cwd: "/",
      env: {},
    });
    expect(run.stderr.toString()).toBe('The kernel\'s channel must be given as fd:N or unix:PATH, not "bad".\n');
    expect(run.status).toBe(2);
  });
});

import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { useWorkspace } from "./workspace-folder.js";

const open = useWorkspace();

describe("terminal", () => {
  it("gives stdout and stderr in the order they were written, and the exit code [M4]", async () => {
    const { call } = await open();
    expect(await call("terminal", { command: "echo one; echo two >&2; echo three; exit 3" })).toEqual({
      output: "one\ntwo\nthree\n",
      exit_code: 3,
      timed_out: false,
      truncated: false,
    });
  });

  it("runs in the root, or in a folder of it", async () => {
    const { call, root } = await open();
    await mkdir(join(root, "sub"));
    expect(await call("terminal", { command: "pwd -P" })).toMatchObject({ output: `${root}\n` });
    expect(await call("terminal", { command: "pwd -P", workdir: "sub" })).toMatchObject({ output: `${root}/sub\n` });
    await expect(call("terminal", { command: "pwd", workdir: "none" })).rejects.toMatchObject({ code: "tool/failed" });
  });

  it("tells what the shell can't read, and has nothing on stdin", async () => {
    const { call } = await open();
    const broken = (await call("terminal", { command: "if" })) as { output: string; exit_code: number };
    expect(broken.exit_code).not.toBe(0);
    expect(broken.output).not.toBe("");
    expect(await call("terminal", { command: "cat; echo done" })).toMatchObject({ output: "done\n" });
  });

  it("ends what takes too long with all it started, and keeps what was written [M4]", async () => {
    const { call, root } = await open();
    const command = "echo begun; (while :; do echo tick >> ticks; sleep 0.02; done) & sleep 600";
    expect(await call("terminal", { command, timeout: 2 })).toEqual({
      output: "begun\n[the command took longer than 2 s and was ended]",
      exit_code: 124,
      timed_out: true,
      truncated: false,
    });
    const ticks = (await stat(join(root, "ticks"))).size;
    expect(ticks).toBeGreaterThan(0);
    await delay(200);
    expect((await stat(join(root, "ticks"))).size).toBe(ticks);
  });

  it("hands on no secret of the host, and the variables that it is told to", async () => {
    const environment = { ...process.env, API_TOKEN: "s3cret", GIVEN: "yes" };
    const { call } = await open({}, { terminal: { environment, passEnv: ["GIVEN"], env: { MODE: "test" } } });
    expect(await call("terminal", { command: "env" })).toMatchObject({
      output: expect.not.stringContaining("s3cret"),
    });
    expect(await call("terminal", { command: "echo $GIVEN $MODE" })).toMatchObject({ output: "yes test\n" });
  });

  it("keeps the beginning and the end of much output, and lets the command finish", async () => {
    const { call } = await open({}, { limits: { maxOutputBytes: 1000 } });
    const command = "echo first; i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; echo last; exit 7";
    const result = (await call("terminal", { command })) as { output: string };
    expect(result).toMatchObject({ exit_code: 7, truncated: true });
    expect(result.output).toMatch(/^first\n/);
    expect(result.output).toMatch(/bytes left out/);
    expect(result.output).toMatch(/last\n$/);
    expect(result.output.length).toBeLessThan(1200);
  });

  it("refuses a time longer than allowed, and names a shell that is missing", async () => {
    const { call } = await open({}, { limits: { maxCommandTimeoutMs: 1000 }, terminal: { shell: "no-such-shell" } });
    await expect(call("terminal", { command: "true", timeout: 2 })).rejects.toMatchObject({
      code: "tool/invalid-argument",
      details: { maximum: 1 },
    });
    await expect(call("terminal", { command: "true", timeout: 1 })).rejects.toMatchObject({
      code: "tool/program-missing",
    });
  });

  it("tells the signal that ended a command as shells do", async () => {
    const { call } = await open();
    expect(await call("terminal", { command: "kill -9 $$" })).toMatchObject({ exit_code: 137 });
  });
});

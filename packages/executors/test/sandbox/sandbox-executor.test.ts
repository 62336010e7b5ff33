import { execFileSync, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, open, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandboxExecutor, type SandboxExecutorOptions } from "../../src/sandbox/index.js";
import { listen } from "../support/listen.js";
import { openConfined } from "../support/open-confined.js";
import { shellProgram } from "../support/shell-program.js";

describe("the sandbox executor", () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), "artificer-sandbox-")));
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  async function shell(script: string, options: SandboxExecutorOptions = {}, limits = {}) {
    const executor = createSandboxExecutor(options);
    const channel = await executor.start({
      program: shellProgram(script),
      cwd,
      env: { PATH: "/no/such/folder:/usr/bin:/bin", ONLY: "this" },
      limits,
    });
    return { executor, channel, heard: listen(channel) };
  }

  it("carries bytes both ways, output apart from them, and tells the end", async () => {
    const { channel, heard } = await shell("echo out; echo err >&2; head -c 5 <&3 >&3; exit 7");
    channel.send([Buffer.from("hello")]);
    expect(await channel.exited).toEqual({ code: 7, signal: null });
    expect(heard).toEqual({ wire: "hello", stdout: "out\n", stderr: "err\n" });
  });

  it("gives the kernel the environment asked for, with its own home, and a /tmp to begin in", async () => {
    const { channel, heard } = await shell("env | sort; pwd; cat; id -un");
    await channel.exited;
    expect(heard.stdout).toBe("HOME=/tmp\nONLY=this\nPATH=/usr/bin:/bin\nPWD=/tmp\n/tmp\ncell\n");
  });

  it("tells a signal as such, and a limit of processor time by its name", async () => {
    const killed = await shell("kill -9 $$");
    expect(await killed.channel.exited).toEqual({ code: null, signal: "SIGKILL" });
    const spent = await shell("while :; do :; done", {}, { cpuSeconds: 1 });
    expect(await spent.channel.exited).toMatchObject({ signal: "SIGXCPU", limit: "cpu" });
  });

  it("changes the workspace's files when it was given for writing, begins in the folder asked for, and follows no order to hide it", async () => {
    await mkdir(join(cwd, "kept"));
    await writeFile(join(cwd, "kept", "tool.yaml"), "command: harmless");
    const options: SandboxExecutorOptions = { workspace: { path: cwd, mode: "rw" }, hidden: [join(cwd, "kept")] };
    const { channel, heard } = await shell(
      "pwd; echo made > made; ls kept | wc -l; echo evil > kept/tool.yaml; rm -rf kept; mv kept away; true",
      options,
    );
    expect(await channel.exited).toMatchObject({ code: 0 });
    expect(heard.stdout).toBe(`${cwd}\n0\n`);
    expect(await readFile(join(cwd, "made"), "utf8")).toBe("made\n");
    expect(await readFile(join(cwd, "kept", "tool.yaml"), "utf8")).toBe("command: harmless");
  });

  it("refuses a workspace that is the system's or is not there", async () => {
    for (const path of ["/", "/etc", join(cwd, "absent")]) {
      await expect(shell("true", { workspace: { path, mode: "rw" } })).rejects.toMatchObject({
        code: "executor/unsupported",
        details: { path },
      });
    }
  });

  it("reaches the host's network when that was granted, and only then", async () => {
    const server = createServer((peer) => peer.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const reach = `import socket\nsocket.create_connection(("127.0.0.1", ${port}), 5).recv(7).decode()`;
    const answers: unknown[] = [];
    for (const network of ["host", "none"] as const) {
      const confined = await openConfined(createSandboxExecutor({ network }));
      answers.push(await confined.attempt(reach));
      await confined.close();
    }
    server.close();
    expect(answers).toEqual(["reached", "ConnectionRefusedError"]);
  });

  it("survives a fork bomb, which is bounded, with its state", async () => {
    const confined = await openConfined(createSandboxExecutor({ processes: 40 }));
    const bomb = `
import os, signal, time
children = []
try:
    while len(children) < 500:
        pid = os.fork()
        if pid == 0:
            while True:
                try: os.fork()
                except OSError: time.sleep(60)
        children.append(pid)
except OSError as error:
    failed = type(error).__name__
alive = sum(name.isdigit() for name in os.listdir("/proc"))
os.kill(-1, signal.SIGKILL)
alive, failed`;
    expect(await confined.attempt(bomb)).toMatchObject({ 1: "BlockingIOError" });
    expect(await confined.attempt("alive <= 42")).toBe(true);
    await confined.close();
  });

  it("ends all that a kernel started, even what left its group", async () => {
    const marker = `sleep 98765.${process.pid}`;
    const { channel, heard } = await shell(`setsid setsid ${marker} & echo up; wait; ${marker}`);
    const running = () => execFileSync("ps", ["-eo", "args"]).toString().includes(marker);
    await expect.poll(() => heard.stdout).toBe("up\n");
    await expect.poll(running).toBe(true);
    await channel.kill();
    await expect.poll(running).toBe(false);
  });

  it("leaves nothing behind when its host dies without a word", async () => {
    const script = fileURLToPath(new URL("../support/abandoning-host.mjs", import.meta.url));
    const host = spawn(process.execPath, [script, cwd, "sandbox"], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    host.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    await expect.poll(() => printed).toMatch(/^\d+ \d+\n$/);
    const [pid = 0] = printed.split(" ").map(Number);
    expect(isRunning(pid)).toBe(true);
    host.kill("SIGKILL");
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("passes on no descriptor that its host was started with", async () => {
    const secret = join(cwd, "secret");
    await writeFile(secret, "of the host's");
    const file = await open(secret, "r");
    const script = fileURLToPath(new URL("../support/passing-host.mjs", import.meta.url));
    const host = spawn(process.execPath, [script], {
      stdio: ["ignore", "pipe", "inherit", ...Array(17).fill("ignore"), file.fd],
    });
    let printed = "";
    host.stdout?.on("data", (chunk) => {
      printed += chunk;
    });
    expect(await new Promise((resolve) => host.once("close", resolve))).toBe(0);
    await file.close();
    const found = printed.trim().split("\n");
    expect(found.filter((target) => !/^(socket:|\/dev\/null$)/.test(target))).toEqual([]);
    expect(found).toContainEqual(expect.stringMatching(/^socket:/));
  });

  it("says what is missing and how to mend it, before and instead of starting", async () => {
    const fake = join(cwd, "bwrap");
    const spec = { program: shellProgram(""), cwd, env: {}, limits: {} };
    const absent = createSandboxExecutor({ bwrap: "no-such-bwrap" });
    expect(await absent.probe()).toMatchObject({
      usable: false,
      hint: expect.stringContaining("apt-get install bubblewrap"),
    });
    await expect(absent.start(spec)).rejects.toMatchObject({ code: "executor/unavailable" });
    const script = async (text: string) => {
      await writeFile(fake, `#!/bin/sh\n${text}\n`);
      await chmod(fake, 0o755);
      return createSandboxExecutor({ bwrap: fake });
    };
    expect(await (await script("echo bubblewrap 0.4.1")).probe()).toMatchObject({
      usable: false,
      reason: expect.stringContaining("0.4.1"),
    });
    const refusing = await script(
      '[ "$1" = --version ] && exec echo bubblewrap 0.8.0; echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
    );
    expect(await refusing.probe()).toMatchObject({
      usable: false,
      reason: expect.stringContaining("setting up uid map"),
      hint: expect.stringContaining("user namespaces"),
    });
    await expect(refusing.start(spec)).rejects.toMatchObject({ code: "executor/unavailable" });
    const mended = await script('exec bwrap "$@"');
    expect(await mended.probe()).toMatchObject({ usable: true });
  });
});

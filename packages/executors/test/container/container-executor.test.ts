import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type OwnPodman, openPodman } from "@artificer/testkit/confinement";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ContainerExecutorOptions, createContainerExecutor } from "../../src/container/index.js";
import { preamble } from "../support/escape-attempts.js";
import { openConfined } from "../support/open-confined.js";
import { shellProgram } from "../support/shell-program.js";

const opened = await openPodman();
const notRun = "reason" in opened ? opened.reason : undefined;
const podman = opened as OwnPodman;

describe(notRun === undefined ? "a cell in a container" : `a cell in a container, not run here: ${notRun}`, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "artificer-container-")));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    if (notRun === undefined) await podman.close();
  });

  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const base = (): ContainerExecutorOptions => ({
    engine: podman.command,
    engineEnv: podman.env,
    image: podman.image,
    mounts: podman.mounts,
  });
  const confine = (options: ContainerExecutorOptions = {}, more: { cwd?: string; env?: Record<string, string> } = {}) =>
    openConfined(createContainerExecutor({ ...base(), ...options }), more).then((confined) => {
      closing.push(confined.close);
      return confined;
    });
  const ask = async (...args: string[]) => {
    const [file = "", ...own] = podman.command;
    return (await promisify(execFile)(file, [...own, ...args], { env: { ...process.env, ...podman.env } })).stdout;
  };

  it("sees the workspace as it was given, and nothing else of the host", async (context) => {
    if (notRun !== undefined) return context.skip(notRun);
    const workspace = join(folder, "workspace");
    await mkdir(join(workspace, "kept"), { recursive: true });
    await writeFile(join(workspace, "data.txt"), "for cells");
    await writeFile(join(workspace, "kept", "journal"), "not for cells");
    await writeFile(join(folder, "outside.txt"), "not for cells");
    const server = createServer((peer) => peer.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const hidden = [join(workspace, "kept")];
    const { attempt, run } = await confine(
      { workspace: { path: workspace, mode: "ro" }, hidden, tmpBytes: 4 << 20 },
      { cwd: workspace, env: { GIVEN: "on purpose", DOCKER_HOST: "not the engine's" } },
    );
    await run(preamble);
    expect(await attempt(`open("data.txt").read(), os.listdir("kept"), os.getcwd()`)).toMatchObject({
      0: "for cells",
      1: [],
      2: workspace,
    });
    for (const path of ["/etc/shadow", join(folder, "outside.txt"), "/root/.bashrc"])
      expect(await attempt(`reads(${JSON.stringify(path)})`)).toMatch(/ENOENT|EACCES/);
    for (const path of [
      "data.txt",
      "kept/x",
      "/x",
      "/etc/x",
      "/run/x",
      "/var/x",
      "/proc/sys/kernel/core_pattern",
      "/run/artificer/kernel/main.py",
    ])
      expect(await attempt(`writes(${JSON.stringify(path)})`), path).toMatch(/EROFS|EACCES|EPERM/);
    expect(await attempt(`os.environ["GIVEN"], os.environ["DOCKER_HOST"], os.environ["HOME"]`)).toMatchObject({
      0: "on purpose",
      1: "not the engine's",
      2: "/tmp",
    });
    const environments = `"".join(open(f"/proc/{pid}/environ", errors="replace").read() for pid in os.listdir("/proc") if pid.isdigit())`;
    expect(await attempt(environments)).not.toMatch(/not-for-cells|secret@host/);
    const reach = (address: string) =>
      attempt(`s = socket.socket(); s.settimeout(2)\ntold(lambda: s.connect(${address}))`);
    expect(await reach(`("127.0.0.1", ${port})`)).toBe("ECONNREFUSED");
    expect(await reach('("192.0.2.1", 80)')).toBe("ENETUNREACH");
    expect(await attempt(`told(lambda: os.kill(${process.pid}, 0))`)).toBe("ESRCH");
    expect(await attempt(`os.getuid()`)).toBe(1000);
    const status = await attempt(`open("/proc/self/status").read()`);
    expect(status).toMatch(/CapPrm:\s+0+\nCapEff:\s+0+\nCapBnd:\s+0+\n/);
    expect(status).toMatch(/NoNewPrivs:\s+1\nSeccomp:\s+2/);
    expect(await attempt(`call(165, 40, b"none", b"/tmp", b"tmpfs", 0, 0)`)).toBe("EPERM");
    expect(await attempt(`told(lambda: os.mknod("/tmp/disk", stat.S_IFBLK | 0o600, os.makedev(8, 0)))`)).toBe("EPERM");
    const fill = `def fill():\n    with open("/tmp/full", "wb", 0) as f:\n        for _ in range(16): f.write(bytes(1 << 20))\ntold(fill)`;
    expect(await attempt(fill)).toBe("ENOSPC");
    server.close();
  });

  it("is bounded in processes, memory and what it may write to a workspace of its own", async (context) => {
    if (notRun !== undefined) return context.skip(notRun);
    const workspace = join(folder, "own");
    await mkdir(workspace, { mode: 0o777 });
    const { attempt, run } = await confine({
      workspace: { path: workspace, mode: "rw" },
      user: "0:0",
      processes: 20,
      memoryBytes: 96 << 20,
    });
    await run(preamble);
    await attempt(`open("made", "w").write("by a cell")`);
    expect(await readFile(join(workspace, "made"), "utf8")).toBe("by a cell");
    const bomb = `import time\ndef bomb():\n    for count in range(100):\n        if os.fork() == 0: time.sleep(60)\n    return count\ntold(bomb)`;
    expect(await attempt(bomb)).toBe("EAGAIN");
    const hungry = await run("held = bytearray(256 << 20)");
    expect(hungry.status).toBe("crashed");
    expect(await attempt("1 + 1")).toBe(2);
  });

  it("leaves no container behind when it is closed, and a later host removes those of one that died", async (context) => {
    if (notRun !== undefined) return context.skip(notRun);
    const script = fileURLToPath(new URL("../support/dying-host.mjs", import.meta.url));
    const host = spawn(process.execPath, [script, JSON.stringify(base()), folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    host.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    await expect.poll(() => printed).toBe("started\n");
    expect(await ask("ps", "--quiet")).not.toBe("");
    host.kill("SIGKILL");
    await new Promise((resolve) => host.once("close", resolve));
    const { attempt, close } = await confine();
    expect(await attempt("1 + 1")).toBe(2);
    expect((await ask("ps", "--all", "--format", "{{.Names}}")).trim().split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^artificer-${process.pid}-`)),
    ]);
    await close();
    expect(await ask("ps", "--all", "--quiet")).toBe("");
  });

  it("says what is missing and how to mend it, before and instead of starting", async (context) => {
    if (notRun !== undefined) return context.skip(notRun);
    const spec = { program: shellProgram("exit 3"), cwd: folder, env: {}, limits: {} };
    const engineless = createContainerExecutor({ engine: ["no-such-engine"] });
    expect(await engineless.probe()).toMatchObject({
      usable: false,
      reason: expect.stringContaining("no-such-engine"),
      hint: expect.stringContaining("Podman"),
    });
    await expect(engineless.start(spec)).rejects.toMatchObject({ code: "executor/unavailable" });
    const imageless = createContainerExecutor({ ...base(), image: "localhost/absent:1" });
    expect(await imageless.probe()).toMatchObject({
      usable: false,
      hint: expect.stringContaining("build -t localhost/absent:1"),
    });
    await expect(imageless.start(spec)).rejects.toMatchObject({ code: "executor/unavailable" });
    const usable = createContainerExecutor(base());
    expect(await usable.probe()).toMatchObject({ usable: true, facts: { image: podman.image } });
    await expect(usable.start(spec)).rejects.toMatchObject({ code: "kernel/start-failed" });
    const gone = { ...spec, interpreter: "/no/such/interpreter" };
    await expect(usable.start(gone)).rejects.toMatchObject({
      code: "kernel/start-failed",
      message: expect.stringContaining("/no/such/interpreter"),
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 300);
    const endless = { ...spec, program: shellProgram("sleep 1000"), interpreter: "/bin/sh" };
    await expect(usable.start(endless, { signal: controller.signal })).rejects.toThrow("enough");
    expect(await ask("ps", "--all", "--quiet")).toBe("");
  });

  it("runs in an image that was built from the Dockerfile that comes with the package", async (context) => {
    if (notRun !== undefined) return context.skip(notRun);
    const dockerfile = fileURLToPath(new URL("../../container", import.meta.url));
    expect(existsSync(join(dockerfile, "Dockerfile"))).toBe(true);
    const build = ["build", "--quiet", "--network", "none", "--runtime", "runc", "--ulimit", "nofile=4096:4096"];
    await ask(
      ...build,
      "-v",
      "/usr:/usr:ro",
      "--build-arg",
      `BASE=${podman.image}`,
      "-t",
      "localhost/built:1",
      dockerfile,
    );
    const { attempt } = await confine({ image: "localhost/built:1" });
    expect(await attempt(`import pwd, os\npwd.getpwuid(os.getuid()).pw_name`)).toBe("cell");
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";
import { createTypescriptKernel } from "@artificer/kernel-typescript";
import type { KernelProgram, Language } from "@artificer/protocol";
import { openCase, untilPrinted } from "@artificer/testkit";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, describe, expect, it } from "vitest";
import {
  createRemoteExecutor,
  type KernelServerOptions,
  kernelUsers,
  openKernelServer,
} from "../../src/kernel-server/index.js";
import { createSubprocessExecutor } from "../../src/subprocess/index.js";

const token = "a token of the suite's own";

describe("the kernel server", () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function serve(options: Partial<KernelServerOptions> = {}) {
    const programs: KernelProgram[] = [createPythonKernel(), createTypescriptKernel()];
    const executor = createSubprocessExecutor();
    const server = await openKernelServer({ token, listen: "127.0.0.1:0", executor, programs, ...options });
    closing.push(async () => {
      await server.close();
      await executor.close();
    });
    return server;
  }

  async function open(url: string, given: string | undefined = token, language: Language = "python") {
    const executor = createRemoteExecutor({ url, token: async () => given });
    const programs = [createPythonKernel(), createTypescriptKernel()];
    const context = await openCase(language, async () => ({ executor, programs, close: () => executor.close() }));
    closing.push(() => context.close());
    return { ...context, executor };
  }

  /** What the server says to bytes, to its last word. */
  function say(url: string, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
      let heard = "";
      socket.on("data", (chunk) => (heard += chunk)).on("error", reject);
      socket.on("close", () => resolve(heard));
    });
  }

  it("does not start without a token, or with one that can be guessed", async () => {
    for (const bad of [undefined, "", "   ", "short"])
      await expect(serve({ token: bad })).rejects.toMatchObject({ code: "config/invalid", hint: expect.any(String) });
    for (const listen of ["somewhere", "8787", "unix:"])
      await expect(serve({ listen })).rejects.toMatchObject({
        code: "config/invalid",
        message: expect.stringContaining(listen),
      });
  });

  it("answers 401 and nothing else to whoever has no token or another one, whatever they ask for", async () => {
    const { url } = await serve();
    const upgrade = "Connection: Upgrade\r\nUpgrade: artificer-kernel-1\r\n";
    for (const path of ["/", "/kernels", "/no/such/path"])
      for (const headers of ["", upgrade])
        for (const bearer of [
          "",
          "Authorization: Bearer wrong\r\n",
          `Authorization: Basic ${token}\r\n`,
          "Authorization: Bearer \r\n",
        ])
          expect(await say(url, `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}${bearer}\r\n`)).toBe(
            "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
          );
    const { executor, run } = await open(url, "not the server's token");
    expect(await executor.probe()).toMatchObject({
      usable: false,
      reason: expect.stringContaining("refuses the token"),
    });
    expect(await run("1")).toMatchObject({ status: "refused", error: { code: "executor/unauthorized" } });
    expect(await (await open(url, "")).run("1")).toMatchObject({ error: { code: "executor/unauthorized" } });
  });

  it("starts kernels of both languages for who bears it, over TCP and over a socket", async () => {
    const folder = mkdtempSync(join(tmpdir(), "artificer-server-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const socket = `unix:${join(folder, "kernels")}`;
    for (const { url } of [await serve(), await serve({ listen: socket })]) {
      const { executor, session } = await open(url);
      expect(await executor.probe()).toMatchObject({ usable: true, facts: { languages: "python, typescript" } });
      for (const language of ["python", "typescript"] as const)
        expect(await session.run("20 + 22", { language })).toMatchObject({ value: 42, generation: 1 });
    }
  });

  it("gives kernels the variables of their host, and neither its own nor its token", async () => {
    const { url } = await serve({ env: { PATH: "/usr/bin:/bin", HOME: "/tmp" } });
    const { run } = await open(url);
    const { value } = await run("import os\ndict(os.environ)");
    expect(value).toMatchObject({ HOME: "/tmp", PATH: "/usr/bin:/bin", ARTIFICER_LANGUAGE: "python" });
    expect(JSON.stringify(value)).not.toContain(token);
  });

  it("ends a kernel that is too far ahead of what its host has read, and tells the session so by a code of its own", async () => {
    const { url } = await serve({ maxUnreadBytes: 4 << 20 });
    // A network that carries nothing to the host for a while.
    const toHost = new Set<Socket>();
    const network = createServer((host) => {
      const server = connect(Number(new URL(url).port), "127.0.0.1");
      toHost.add(server);
      for (const [from, to] of [
        [host, server],
        [server, host],
      ] as const)
        from
          .on("data", (chunk) => to.write(chunk))
          .on("error", () => to.destroy())
          .on("close", () => to.end());
    });
    await new Promise<void>((resolve) => network.listen(0, "127.0.0.1", resolve));
    closing.push(() => network.close());
    const { run } = await open(`http://127.0.0.1:${(network.address() as AddressInfo).port}`);
    const { value: pid } = await run("import os\nos.getpid()");
    const flooding = run("while True: os.write(1, b'x' * 65536)");
    for (const socket of toHost) socket.pause();
    await expect.poll(() => isRunning(pid as number)).toBe(false);
    for (const socket of toHost) socket.resume();
    expect(await flooding).toMatchObject({
      status: "crashed",
      error: { code: "cell/unread-output", hint: expect.stringContaining("Print less") },
      state: { variables: "lost" },
    });
    expect(await run("1 + 1")).toMatchObject({ value: 2, generation: 2 });
  });

  it("gives each kernel a user of its own where it may, who can't read the token or another kernel's memory", async ({
    skip,
  }) => {
    const user = kernelUsers();
    if (user === undefined) return skip("not run: only root with the rights to become others can give users away");
    const program = createTypescriptKernel();
    try {
      const look = `require("node:fs").readdirSync(${JSON.stringify(program.folder)})`;
      execFileSync(process.execPath, ["-e", look], { ...user(), cwd: "/", stdio: "pipe" });
    } catch {
      return skip(`not run: other users can't read ${program.folder} or run ${process.execPath}`);
    }
    const executor = createSubprocessExecutor({ user });
    closing.push(() => executor.close());
    const { url } = await serve({ executor, programs: [program], apart: true, cwd: "/", env: { HOME: "/tmp" } });
    const one = await open(url, token, "typescript");
    const other = await open(url, token, "typescript");
    expect(await one.executor.probe()).toMatchObject({ facts: { kernels: "a user each" } });
    const { value: victim } = await other.run("[process.pid, process.getuid(), process.getgroups()]");
    const [pid, uid, groups] = victim as [number, number, number[]];
    expect(groups).toEqual([uid]);
    const attempts = `import fs from "node:fs"
const told = [process.getuid() === ${uid}]
for (const path of ["/proc/${process.pid}/environ", "/proc/${process.pid}/mem", "/proc/${pid}/environ", "/proc/${pid}/mem"])
  try { fs.closeSync(fs.openSync(path)); told.push("read") } catch (error) { told.push(error.code) }
for (const pid of [${process.pid}, ${pid}])
  try { process.kill(pid, 0); told.push("signalled") } catch (error) { told.push(error.code) }
told`;
    expect((await one.run(attempts)).value).toEqual([false, "EACCES", "EACCES", "EACCES", "EACCES", "EPERM", "EPERM"]);
    await one.executor.close();
    await other.executor.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("ends a kernel whose connection is gone, and tells a host whose server is gone", async () => {
    const server = await serve();
    const { run, executor } = await open(server.url);
    const { value: pid } = await run("import os\nos.getpid()");
    await executor.close();
    await expect.poll(() => isRunning(pid as number)).toBe(false);
    const other = await open(server.url);
    const { value: second } = await other.run("import os\nos.getpid()");
    const stuck = await untilPrinted(other, "import time\nprint('begun')\ntime.sleep(60)");
    await server.close();
    expect(await stuck.outcome).toMatchObject({ status: "crashed", state: { variables: "lost" } });
    await expect.poll(() => isRunning(second as number)).toBe(false);
    expect(await other.run("1")).toMatchObject({ status: "refused", error: { code: "executor/unavailable" } });
  });

  it("refuses more kernels than it may run, a language that it has not, and an end that speaks nonsense", async () => {
    const { url } = await serve({ maxKernels: 1, programs: [createPythonKernel()] });
    const first = await open(url);
    expect(await first.session.run("1", { language: "typescript" })).toMatchObject({
      error: { code: "executor/unsupported" },
    });
    expect(await first.run("1")).toMatchObject({ value: 1 });
    expect(await (await open(url)).run("1")).toMatchObject({ error: { code: "executor/unavailable" } });
    await first.session.restart("python");
    await first.close();
    const bearer = `Authorization: Bearer ${token}\r\n`;
    const upgrade = `GET /kernels HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: artificer-kernel-1\r\n${bearer}\r\n`;
    expect(await say(url, `${upgrade}\xff\xff\xff\xff\xff\xff\xff\xff`)).toMatch(/^HTTP\/1.1 101 [^{]*$/);
    expect(
      await say(url, `GET /kernels HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: other\r\n${bearer}\r\n`),
    ).toMatch(/^HTTP\/1.1 400 /);
    expect(await (await open(url)).run("2")).toMatchObject({ value: 2 });
  });

  it("is not reached where the token would go over a network in the clear, or by what is no address", () => {
    const of = (url: string) => () => createRemoteExecutor({ url, token: async () => token });
    for (const url of [
      "http://192.0.2.7:8787",
      "http://kernels.example.org",
      "ftp://127.0.0.1",
      "127.0.0.1:8787",
      "unix:here",
    ])
      expect(of(url), url).toThrow(expect.objectContaining({ code: "executor/unsupported" }));
    for (const url of ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "https://kernels.example.org"])
      expect(of(url), url).not.toThrow();
    expect(existsSync("here")).toBe(false);
  });
});

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxExecutor } from "../../src/sandbox/index.js";
import { preamble } from "../support/escape-attempts.js";
import { openConfined } from "../support/open-confined.js";

type Confined = Awaited<ReturnType<typeof openConfined>>;

describe("a cell in the sandbox", () => {
  let folder: string;
  let workspace: string;
  let confined: Confined;
  const listeners: Server[] = [];
  const attempt = (code: string) => confined.attempt(code);

  beforeAll(async () => {
    process.env.ARTIFICER_ESCAPE_SECRET = "from-the-host";
    folder = await realpath(await mkdtemp(join(tmpdir(), "artificer-escape-")));
    workspace = join(folder, "workspace");
    await mkdir(join(workspace, "kept"), { recursive: true });
    await writeFile(join(workspace, "data.txt"), "for cells");
    await writeFile(join(workspace, "kept", "journal"), "not for cells");
    await writeFile(join(folder, "outside.txt"), "not for cells");
    await symlink(join(folder, "outside.txt"), join(workspace, "link"));
    const executor = createSandboxExecutor({
      workspace: { path: workspace, mode: "ro" },
      hidden: [join(workspace, "kept")],
      tmpBytes: 8 << 20,
    });
    confined = await openConfined(executor, { cwd: workspace });
    await confined.run(preamble);
  });
  afterAll(async () => {
    delete process.env.ARTIFICER_ESCAPE_SECRET;
    await confined.close();
    for (const listener of listeners) listener.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function listen(where: { port: number; host: string } | { path: string }): Promise<Server> {
    const server = createServer((peer) => peer.end("reached"));
    listeners.push(server);
    await new Promise<void>((resolve) => server.listen(where, resolve));
    return server;
  }

  it("reads neither the host's passwords nor its home nor what lies beside the workspace", async () => {
    const paths = ["/etc/shadow", "/root/.bashrc", join(homedir(), ".profile"), join(folder, "outside.txt")];
    for (const path of paths) expect(await attempt(`reads(${JSON.stringify(path)})`)).toBe("ENOENT");
    expect(await attempt(`reads("link")`)).toBe("ENOENT");
    expect(await attempt(`sorted(os.listdir("/etc")).count("shadow")`)).toBe(0);
    expect(await attempt(`reads("data.txt")`)).toBe("read");
    expect(await attempt(`os.listdir("kept")`)).toEqual([]);
  });

  it("finds nothing of the host's environment, in its own or in any process's", async () => {
    const seen = await attempt(
      `"".join(open(f"/proc/{pid}/{name}", errors="replace").read() for pid in os.listdir("/proc") if pid.isdigit() for name in ["environ", "cmdline"])`,
    );
    expect(seen).not.toMatch(/ARTIFICER_ESCAPE_SECRET|from-the-host|not-for-cells|secret@host/);
    expect(await attempt(`os.environ["HOME"], os.getuid(), socket.gethostname()`)).toMatchObject({
      0: "/tmp",
      1: 1000,
      2: "sandbox",
    });
  });

  it("writes nowhere but into its own /tmp and /dev/shm", async () => {
    const own = JSON.stringify(import.meta.url.replace("file://", ""));
    const paths = ["/x", "/usr/x", "/etc/x", "/etc/passwd", "/run/x", "/dev/x", "/proc/sys/kernel/core_pattern"];
    for (const path of [...paths, "/proc/sysrq-trigger", join(workspace, "data.txt"), join(workspace, "new")]) {
      expect(await attempt(`writes(${JSON.stringify(path)})`), path).toMatch(/EROFS|EACCES|EPERM|ENOENT/);
    }
    expect(await attempt(`writes(${own})`)).toMatch(/EROFS|ENOENT|EACCES/);
    const kernel = `import sys\n[writes(f.co_filename if (f := c.__code__) else "") for c in [display.__func__]]`;
    expect(await attempt(kernel)).toEqual([expect.stringMatching(/EROFS|ENOENT|EACCES/)]);
    expect(await readFile(join(workspace, "data.txt"), "utf8")).toBe("for cells");
    expect(existsSync(join(workspace, "new"))).toBe(false);
    expect(await attempt(`writes("/tmp/x"), writes("/dev/shm/x")`)).toMatchObject({ 0: "written", 1: "written" });
    expect(existsSync("/dev/shm/x")).toBe(false);
  });

  it("reaches no listener of the host, by port, by path or by abstract name, and no address outside", async () => {
    const tcp = await listen({ host: "127.0.0.1", port: 0 });
    const { port } = tcp.address() as { port: number };
    await listen({ path: join(folder, "host.sock") });
    const reach = (family: string, address: string) =>
      attempt(
        `s = socket.socket(socket.${family}); s.settimeout(2)\ntold(lambda: (s.connect(${address}), s.recv(9))[1])`,
      );
    expect(await reach("AF_INET", `("127.0.0.1", ${port})`)).toBe("ECONNREFUSED");
    expect(await reach("AF_UNIX", JSON.stringify(join(folder, "host.sock")))).toBe("ENOENT");
    expect(await reach("AF_INET", '("192.0.2.1", 80)')).toBe("ENETUNREACH");
    expect(await reach("AF_INET6", '("2001:db8::1", 80)')).toMatch(/ENETUNREACH|EADDRNOTAVAIL/);
    expect(await attempt(`told(lambda: socket.socket(40, socket.SOCK_STREAM))`)).toBe("EAFNOSUPPORT");
    expect(await attempt(`told(lambda: socket.socket(17, socket.SOCK_RAW))`)).toBe("EAFNOSUPPORT");
  });

  it("sees no process of the host's and signals none", async () => {
    const pids = (await attempt(`[int(pid) for pid in os.listdir("/proc") if pid.isdigit()]`)) as number[];
    expect(pids.length).toBeLessThan(5);
    expect(await attempt(`told(lambda: os.kill(${process.pid}, 0))`)).toBe("ESRCH");
    expect(await attempt(`told(lambda: os.kill(os.getppid(), signal.SIGKILL)), os.getppid()`)).toBeDefined();
    expect(await attempt(`1 + 1`)).toBe(2);
  });

  it("may trace nobody and look into nobody's memory", async () => {
    expect(await attempt(`call(101, 117, 16, 1, 0, 0)`)).toBe("EPERM");
    expect(await attempt(`call(310, 270, 1, 0, 0, 0, 0, 0)`)).toBe("EPERM");
    expect(await attempt(`call(438, 438, 0, 0, 0)`)).toBe("EPERM");
    expect(await attempt(`told(lambda: open("/proc/1/mem", "rb").read(1))`)).toMatch(/EACCES|EPERM|EIO/);
  });

  it("can't mount, make or join namespaces, load modules or use keys, and has no rights to", async () => {
    const calls = [
      "165, 40, b'none', b'/tmp', b'tmpfs', 0, 0",
      "166, 39, b'/proc', 0",
      "272, 97, 0x10000000",
      "56, 220, 0x10000011, 0, 0, 0, 0",
      "308, 268, 0, 0",
      "250, 219, 0, 0, 0, 0, 0",
      "321, 280, 0, 0, 0",
      "313, 273, 0, b'', 0",
      "425, 425, 1, 0",
      "323, 282, 0",
      "161, 51, b'/tmp'",
    ];
    for (const args of calls) expect(await attempt(`call(${args})`), args).toBe("EPERM");
    expect(await attempt(`call(435, 435, 0, 0)`)).toBe("ENOSYS");
    const status = (await attempt(`open("/proc/self/status").read()`)) as string;
    expect(status).toMatch(/CapPrm:\s+0+\nCapEff:\s+0+\nCapBnd:\s+0+\n/);
    expect(status).toMatch(/NoNewPrivs:\s+1\nSeccomp:\s+2\n/);
  });

  it("makes no device node and finds no device that reaches hardware", async () => {
    expect(await attempt(`told(lambda: os.mknod("/tmp/disk", stat.S_IFBLK | 0o600, os.makedev(8, 0)))`)).toBe("EPERM");
    expect(await attempt(`told(lambda: os.mknod("/tmp/mem", stat.S_IFCHR | 0o600, os.makedev(1, 1)))`)).toBe("EPERM");
    const devices = (await attempt(`sorted(os.listdir("/dev"))`)) as string[];
    const harmless = ["console", "core", "fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin"];
    expect(devices.filter((name) => ![...harmless, "stdout", "tty", "urandom", "zero"].includes(name))).toEqual([]);
    expect(await attempt(`reads("/proc/kcore")`)).not.toBe("read");
  });

  it("fills only what it was given: its own bounded memory", async () => {
    const fill = (path: string) =>
      attempt(
        `def fill():\n    with open(${JSON.stringify(path)}, "wb", 0) as f:\n        for _ in range(64): f.write(bytes(1 << 20))\ntold(fill), os.path.getsize(${JSON.stringify(path)}) <= 8 << 20, os.remove(${JSON.stringify(path)})`,
      );
    for (const path of ["/tmp/full", "/dev/shm/full"]) expect(await fill(path)).toMatchObject({ 0: "ENOSPC", 1: true });
    const places = await attempt(
      `[p for p in ["/", "/dev", "/run", "/home", "/etc", "/usr", "/var", "/var/tmp", "/dev/mqueue", "/sys", os.getcwd()] if os.access(p, os.W_OK)]`,
    );
    expect(places).toEqual([]);
  });

  it("holds no descriptor but the streams and the wire, and the wire leads to no rights over the host", async () => {
    const kinds = await attempt(
      `sorted({os.readlink(f"/proc/self/fd/{fd}").split(":")[0] for fd in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{fd}")} - {f"/proc/{os.getpid()}/fd"})`,
    );
    expect(kinds).toEqual(["/dev/null", "socket"]);
    const abuse = `
import array
streams = {os.stat(fd).st_ino for fd in (1, 2)}
files = [(fd, os.stat(fd)) for fd in range(3, 1024) if os.path.exists(f"/proc/self/fd/{fd}")]
sockets = [fd for fd, s in files if stat.S_ISSOCK(s.st_mode) and s.st_ino not in streams]
fd = next(fd for fd in sockets if socket.socket(fileno=os.dup(fd)).family == socket.AF_UNIX)
wire = socket.socket(fileno=os.dup(fd))
def handle():
    # SO_PEERPIDFD: a handle of the process at the other end.
    return wire.getsockopt(socket.SOL_SOCKET, 77, 4)
peer = told(handle)
told(lambda: call(424, 424, int.from_bytes(peer, "little"), 9, 0, 0)) if isinstance(peer, bytes) else peer`;
    expect(await attempt(abuse)).toMatch(/^E[A-Z]+$/);
    expect(
      await attempt(
        `open("/tmp/x", "w").close()\nwire.sendmsg([b""], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])\n1`,
      ),
    ).toBe(1);
    expect(await attempt(`wire.close()\n2`)).toBe(2);
  });

  it("can't speak through a terminal of the host's", async () => {
    expect(await attempt(`import fcntl\ntold(lambda: open("/dev/tty"))`)).toMatch(/ENXIO|ENOENT|EIO/);
    expect(await attempt(`told(lambda: fcntl.ioctl(0, 0x5412, b"x"))`)).toBe("EPERM");
  });
});

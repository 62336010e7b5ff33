import { afterEach, describe, expect, it } from "vitest";
import { Session, type SessionLimits } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();

describe("the limits of the operating system", () => {
  const open: Session[] = [];
  afterEach(() => Promise.all(open.splice(0).map((session) => session.close())));

  async function openSession(limits: Partial<SessionLimits>): Promise<Session> {
    const session = new Session({ embedder: null, limits, cwd: await temp(), pool: 0 });
    open.push(session);
    return session;
  }

  it("tell an allocation that was too large, and keep the variables", async () => {
    const session = await openSession({ memoryBytes: 400 << 20 });
    await session.run("x = 1");
    expect(await session.run("bytearray(1 << 30)")).toMatchObject({
      status: "failed",
      error: { code: "cell/memory-limit", type: "MemoryError", hint: expect.stringContaining("code_execution.memory") },
      state: { variables: "kept" },
    });
    expect((await session.run("x")).value).toBe(1);
  });

  it("tell too many open files", async () => {
    const session = await openSession({ openFiles: 64 });
    const greedy = "import os\nkept = []\nwhile True: kept.append(os.open('/dev/null', os.O_RDONLY))";
    expect(await session.run(greedy)).toMatchObject({
      status: "failed",
      error: { code: "cell/open-files-limit", line: 3, hint: expect.stringContaining("code_execution.open_files") },
    });
    expect((await session.run("for fd in kept: os.close(fd)\nlen(open('/etc/hosts').read()) > 0")).value).toBe(true);
  });

  it("tell a file that grew too large, written by the cell or by a program that it started", async () => {
    const session = await openSession({ fileBytes: 64 << 10 });
    const told = {
      status: "failed",
      error: { code: "cell/file-size-limit", hint: expect.stringContaining("code_execution.file_size") },
    };
    expect(await session.run("open('big', 'wb').write(bytes(1 << 20))")).toMatchObject(told);
    const program = "['sh', '-c', 'exec head -c 1000000 /dev/zero > big']";
    expect(await session.run(`import subprocess\nsubprocess.run(${program}, check=True)`)).toMatchObject(told);
    expect((await session.run("open('small', 'wb').write(bytes(1000))")).value).toBe(1000);
  });

  it("end a kernel that used up its processor time, and tell what was lost", async () => {
    const session = await openSession({ cpuSeconds: 1 });
    expect(await session.run("while True: pass")).toMatchObject({
      status: "crashed",
      error: { code: "cell/cpu-limit", hint: expect.stringContaining("code_execution.cpu") },
      state: { variables: "lost" },
    });
    expect((await session.run("1")).status).toBe("completed");
  });

  it("tell too many processes, and too many threads", async () => {
    // The system counts all that a user runs, but not for a privileged one: such a kernel becomes another user first.
    const count = "sum(len(os.listdir('/proc/%s/task' % p)) for p in os.listdir('/proc') if p.isdigit() and owned(p))";
    const counting = await openSession({});
    const { value: running } = await counting.run(
      `import os\ndef owned(p):\n    try: return os.stat('/proc/' + p).st_uid == (os.getuid() or 64123)\n    except OSError: return False\ntry: n = ${count}\nexcept OSError: n = 200\nn`,
    );
    const session = await openSession({ processes: (running as number) + 30 });
    await session.run("import os, subprocess, threading\nif os.getuid() == 0: os.setuid(64123)");
    const told = {
      status: "failed",
      error: { code: "cell/process-limit", hint: expect.stringContaining("code_execution.processes") },
    };
    const fork =
      "pids = []\nwhile True:\n    pid = os.fork()\n    if pid == 0:\n        import time; time.sleep(60); os._exit(0)\n    pids.append(pid)";
    expect(await session.run(fork)).toMatchObject(told);
    expect(await session.run("subprocess.Popen(['sleep', '1'])")).toMatchObject(told);
    expect(await session.run("threading.Thread(target=print).start()")).toMatchObject(told);
    const end = "import signal\nfor pid in pids:\n    os.kill(pid, signal.SIGKILL); os.waitpid(pid, 0)";
    expect((await session.run(end)).status).toBe("completed");
    expect((await session.run("subprocess.run(['true'], check=True).returncode")).value).toBe(0);
  });

  it("are not blamed for errors of the same number that they did not make", async () => {
    const session = await openSession({ openFiles: 256, fileBytes: 1 << 20 });
    const wouldBlock = "import socket\na, b = socket.socketpair()\na.setblocking(False)\na.recv(1)";
    expect((await session.run(wouldBlock)).error).toMatchObject({ code: "cell/exception", type: "BlockingIOError" });
    const unlimited = await openSession({});
    expect((await unlimited.run("raise OSError(27, 'File too large')")).error).toMatchObject({
      code: "cell/exception",
    });
  });

  it("that the executor can't enforce here are told when the session is opened", async () => {
    const session = await openSession({ processes: 1000 });
    const codes = session.problems.map(({ code }) => code);
    expect(codes).toEqual(process.getuid?.() === 0 ? ["executor/limit-not-enforced"] : []);
  });
});

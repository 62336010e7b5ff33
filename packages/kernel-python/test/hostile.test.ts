import { readdirSync, readFileSync } from "node:fs";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, describe, expect, it } from "vitest";
import { ScriptedHost } from "./support/scripted-host.js";

describe("a hostile cell", () => {
  let host: ScriptedHost;
  afterEach(() => host.close());

  it("may replace any builtin without breaking the kernel", async () => {
    host = await ScriptedHost.start({ handlers: { "tools.call": ({ args }) => (args as { value: number }).value } });
    await host.run(
      "import builtins\nfor name in ('print', 'len', 'isinstance', 'hasattr', 'getattr', 'type', 'set', 'dict', 'str', 'repr', 'compile', 'eval', 'exec', 'open', '__import__', '__build_class__', 'Exception', 'BaseException', 'sorted', 'map'):\n    setattr(builtins, name, None)",
    );
    expect((await host.run("1 + 1")).value).toBe(2);
    expect((await host.run("tools.web.echo(value=[1, (2,)])")).value).toEqual([1, [2]]);
    const { error } = await host.run("x = {}\nx['gone']");
    expect(error?.traceback).toContain("x['gone']");
    expect(error).toMatchObject({ type: "KeyError", line: 2 });
    expect((await host.run("y = =")).error?.type).toBe("SyntaxError");
    expect((await host.run("print")).hasValue).toBe(false);
  });

  it("may empty its namespace, __main__ and sys.modules", async () => {
    host = await ScriptedHost.start();
    await host.run("import sys\nsys.modules.pop('__main__')\nglobals().clear()");
    expect((await host.run("1 + 1")).value).toBe(2);
    expect((await host.run("len([1]), tools.__class__.__name__")).value).toEqual([1, "Tools"]);
    await host.run("import sys\nsys.path.clear(); sys.meta_path.clear(); sys.modules.clear()");
    expect((await host.run("1 + 1")).value).toBe(2);
    expect(await host.run("1 / 0")).toMatchObject({ status: "failed", error: { type: "ZeroDivisionError" } });
  });

  it("that forks and lets the child run on does not confuse the kernel", async () => {
    host = await ScriptedHost.start();
    const result = await host.run("import os\nfor _ in range(5):\n    if os.fork() == 0:\n        break\nos.getpid()");
    expect(result).toMatchObject({ status: "completed", value: host.child.pid });
    await host.run(
      "import time\nwhile True:\n    try:\n        os.waitpid(-1, 0)\n    except ChildProcessError:\n        break",
    );
    expect((await host.run("1 + 1")).value).toBe(2);
    expect(host.frameErrors).toEqual([]);
  });

  it("sees a forked child end with the status of a script", async () => {
    host = await ScriptedHost.start();
    const result = await host.run(
      "import os, sys\npid = os.fork()\nif pid == 0: sys.exit(9)\nos.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])",
    );
    expect(result.value).toBe(9);
    const failed = await host.run(
      "pid = os.fork()\nif pid == 0: 1 / 0\nos.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])",
    );
    expect(failed.value).toBe(1);
    expect(host.takeOutput()).toContain("ZeroDivisionError");
  });

  it("that closes every descriptor ends the kernel, which the host sees at once", async () => {
    host = await ScriptedHost.start();
    const running = host.start("import os\nos.closerange(0, 4096)");
    await expect(running).rejects.toThrow("closed the wire");
    expect(await host.exited).toMatchObject({ signal: "SIGKILL" });
  });

  it("that writes to every descriptor it finds is told by a bad frame or the end of the wire", async () => {
    host = await ScriptedHost.start();
    const running = host.start(
      "import os\nfor fd in map(int, os.listdir('/proc/self/fd')):\n    try:\n        os.set_blocking(fd, False)\n        os.write(fd, b'\\xff' * 64)\n    except OSError:\n        pass",
    );
    await expect(running).rejects.toThrow("closed the wire");
    expect(host.frameErrors).toHaveLength(1);
  });

  it("can't hand the wire to its children", async () => {
    host = await ScriptedHost.start();
    const result = await host.run(
      [
        "import os, subprocess, sys",
        "links = {}",
        "for fd in map(int, os.listdir('/proc/self/fd')):",
        "    try: links[fd] = os.readlink(f'/proc/self/fd/{fd}'), os.get_inheritable(fd)",
        "    except OSError: pass",
        "private = {link for link, inheritable in links.values() if not inheritable}",
        'code = \'import os; print([os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if os.path.islink(f"/proc/self/fd/{fd}")])\'',
        "child = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, close_fds=False).stdout",
        "len(private) >= 3, sorted(private & set(eval(child)))",
      ].join("\n"),
    );
    expect(result.value).toEqual([true, []]);
  });

  it.each([
    ["os._exit(3)", { code: 3, signal: null }],
    ["os.kill(os.getpid(), 9)", { code: null, signal: "SIGKILL" }],
    ["os.abort()", { code: null, signal: "SIGABRT" }],
  ])("that calls %s is gone with the status it chose", async (code, exit) => {
    host = await ScriptedHost.start();
    await expect(
      host.start(`import os\nimport resource\nresource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n${code}`),
    ).rejects.toThrow();
    expect(await host.exited).toEqual(exit);
  });

  it("that allocates without end under a memory limit gets a MemoryError and lives on", async () => {
    host = await ScriptedHost.start({ prefix: ["/bin/sh", "-c", 'ulimit -v 400000 && exec "$@"', "sh"] });
    const result = await host.run("held = []\nwhile True: held.append(bytearray(1 << 20))");
    expect(result).toMatchObject({ status: "failed", error: { type: "MemoryError", code: "cell/memory-limit" } });
    expect((await host.run("del held\n1 + 1")).value).toBe(2);
  });

  it("cannot outlive its host: the kernel ends its whole process group when the wire ends", async () => {
    host = await ScriptedHost.start();
    const result = await host.run("import subprocess\nsubprocess.Popen(['sleep', '1000'], stdout=-3, stderr=-3).pid");
    host.endWire();
    await host.exited;
    await expect.poll(() => isRunning(result.value as number)).toBe(false);
  });

  it("cannot outlive its host by a thread that starts processes of other groups until the last moment", async () => {
    const seconds = 100_000 + Math.floor(Math.random() * 100_000);
    const running = (): string[] =>
      readdirSync("/proc")
        .filter((pid) => /^\d+$/.test(pid))
        .filter((pid) => commandLine(pid) === `sleep\0${seconds}\0`);
    host = await ScriptedHost.start();
    await host.run(
      [
        "import subprocess, threading, time",
        "def more():",
        `    while True: subprocess.Popen(['sleep', '${seconds}'], start_new_session=True, stdout=-3, stderr=-3)`,
        "threading.Thread(target=more, daemon=True).start()",
      ].join("\n"),
    );
    await expect.poll(() => running().length).toBeGreaterThan(0);
    host.endWire();
    await host.exited;
    await expect.poll(running).toEqual([]);
  });

  it("may have a finalizer that calls a tool from anywhere", async () => {
    host = await ScriptedHost.start({ handlers: { "tools.call": () => 1 } });
    await host.run(
      "class F:\n    def __del__(self): tools.web.echo(1)\nfor _ in range(200):\n    a = F(); a.a = a\nimport gc; gc.collect()",
    );
    expect((await host.run("1 + 1")).value).toBe(2);
  });

  it("may raise from a signal handler and take the interrupt signal for itself", async () => {
    host = await ScriptedHost.start();
    const result = await host.run(
      "import signal, time\ndef late(*_): raise TimeoutError('late')\nsignal.signal(signal.SIGALRM, late)\nsignal.setitimer(signal.ITIMER_REAL, 0.02)\ntime.sleep(1000)",
    );
    expect(result.error).toMatchObject({ type: "TimeoutError", message: "late" });
    await host.run("signal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.setitimer(signal.ITIMER_REAL, 0.02)");
    await new Promise((resolve) => setTimeout(resolve, 60));
    const running = host.start("print('begun')\ntime.sleep(1000)");
    while (!host.output.includes("begun")) await new Promise(setImmediate);
    host.cancel(running.id);
    expect(await running).toMatchObject({ status: "interrupted" });
  });
});

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

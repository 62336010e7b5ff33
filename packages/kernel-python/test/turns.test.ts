import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pythons } from "./support/pythons.js";
import { ScriptedHost } from "./support/scripted-host.js";

// The main thread reads for itself while it waits; the reader thread does whenever it is busy. What follows is at the seams.
describe.each(await pythons())("who reads the wire in Python $version", ({ path }) => {
  let host: ScriptedHost;
  const held = new Map<unknown, (value: unknown) => void>();
  beforeAll(async () => {
    host = await ScriptedHost.start({
      python: path,
      handlers: {
        "tools.call": (params) => {
          const { args } = params as { args: { value: unknown } };
          if (typeof args.value !== "string") return Promise.resolve(args.value);
          return new Promise((resolve) => held.set(args.value, resolve));
        },
      },
    });
    await host.run("import asyncio, signal, threading, time");
  });
  afterAll(() => host.close());

  it("loses no answer when a signal handler of the cell's raises at any moment", async () => {
    const outcome = await host.run(
      [
        "class Alarm(Exception): pass",
        "def ring(*_): raise Alarm",
        "signal.signal(signal.SIGALRM, ring)",
        "done = rung = 0",
        "for n in range(400):",
        "    try:",
        "        signal.setitimer(signal.ITIMER_REAL, 0.00002 + n % 40 * 0.00001)",
        "        for m in range(20):",
        "            assert tools.web.echo(value=m) == m, m",
        "            done += 1",
        "        signal.setitimer(signal.ITIMER_REAL, 0)",
        "    except Alarm:",
        "        rung += 1",
        "signal.setitimer(signal.ITIMER_REAL, 0)",
        "rung > 100, tools.web.echo(value=7)",
      ].join("\n"),
    );
    expect(outcome).toMatchObject({ status: "completed" });
    expect((await host.run("tools.web.echo(value=8)")).value).toBe(8);
  });

  it("refuses a signal handler's call while its thread reads, and answers the call that it broke into", async () => {
    const running = host.start(
      [
        "told = []",
        "def ask(*_):",
        "    try: tools.web.echo(value=1)",
        "    except Exception as error: told.append(str(error))",
        "    print('rung')",
        "signal.signal(signal.SIGALRM, ask)",
        "answer = tools.web.echo(value='held')",
      ].join("\n"),
    );
    while (!held.has("held")) await delay(1);
    host.child.kill("SIGALRM");
    while (!host.output.includes("rung\n")) await delay(1);
    held.get("held")?.("late");
    expect(await running).toMatchObject({ status: "completed" });
    expect((await host.run("answer")).value).toBe("late");
    expect((await host.run("', '.join(told)")).value).toMatch(/^A finalizer or signal handler can't call the host/);
  });

  it("answers threads and awaited calls while the main thread calls, computes and waits", async () => {
    const outcome = await host.run(
      [
        "seen = []",
        "def work(k):",
        "    for n in range(50): seen.append(tools.web.echo(value=k * 1000 + n))",
        "threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]",
        "[t.start() for t in threads]",
        "own = [tools.web.echo(value=n) for n in range(100)]",
        "until = time.monotonic() + 0.02",
        "while time.monotonic() < until: pass",
        "both = await asyncio.gather(*[web.echo(value=n) for n in range(100)])",
        "[t.join() for t in threads]",
        "own == list(range(100)) == both and len(set(seen)) == 200",
      ].join("\n"),
    );
    expect(outcome.value).toBe(true);
  });

  it("answers a thread whose call outlives the cell, with nobody else waiting", async () => {
    await host.run(
      "t = threading.Thread(target=lambda: globals().update(late=tools.web.echo(value='after')))\nt.start()",
    );
    while (!held.has("after")) await delay(1);
    await delay(120);
    held.get("after")?.("came");
    expect((await host.run("t.join()\nlate")).value).toBe("came");
  });

  it("hears an interrupt in a busy loop that follows a long rest", async () => {
    await delay(150);
    host.takeOutput();
    const running = host.start("print('spinning')\nwhile True: pass");
    while (!host.output.includes("spinning")) await delay(1);
    host.cancel(running.id);
    expect(await running).toMatchObject({ status: "interrupted" });
  });
});

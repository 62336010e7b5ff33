import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pythons } from "./support/pythons.js";
import { ScriptedHost } from "./support/scripted-host.js";

const never = () => new Promise(() => undefined);

describe.each(await pythons())("withdrawing a cell in Python $version", ({ path }) => {
  let host: ScriptedHost;
  beforeAll(async () => {
    host = await ScriptedHost.start({
      python: path,
      handlers: {
        "tools.call": never,
      },
    });
    await host.run("import asyncio, time, threading");
  });
  afterAll(() => host.close());

  /** Each cell tells that it has begun, by its output or by a tool call, and is withdrawn a moment later. */
  async function interrupted(code: string) {
    const calls = host.requests.length;
    host.takeOutput();
    const running = host.start(`kept = 'kept'\n${code}`);
    while (!host.output.includes("begun\n") && host.requests.length === calls) await delay(1);
    await delay(20);
    host.cancel(running.id);
    return running;
  }

  const begin = "print('begun')\n";
  it.each([
    ["a busy loop", `${begin}while True: pass`],
    ["time.sleep", `${begin}time.sleep(1e6)`],
    ["an awaited sleep", `${begin}await asyncio.sleep(1e6)`],
    ["a busy loop in a coroutine", `async def f():\n    ${begin}    while True: pass\nawait f()`],
    ["a blocked tool call", "tools.web.echo(value='never')"],
    ["an awaited tool call", "await web.echo(value='never')"],
    ["gathered tool calls", "await asyncio.gather(*[web.echo(value='never') for _ in range(3)])"],
    ["asyncio.run", `${begin}asyncio.run(asyncio.sleep(1e6))`],
    ["a lock that is never released", `${begin}l = threading.Lock()\nl.acquire()\nl.acquire()`],
    [
      "a thread's join",
      "t = threading.Thread(target=lambda: tools.web.echo(value='never'), daemon=True)\nt.start()\nt.join()",
    ],
    ["a child process", `${begin}import subprocess\nsubprocess.run(['sleep', '1000'])`],
    ["os.system", `${begin}import os\nos.system('sleep 1000')\ntime.sleep(1000)`],
    ["a __repr__ that hangs", `class R:\n    def __repr__(self):\n        ${begin}        while True: pass\nR()`],
  ])("interrupts %s and keeps the state", async (_name, code) => {
    expect(await interrupted(code)).toMatchObject({ status: "interrupted", error: { type: "KeyboardInterrupt" } });
    expect((await host.run("kept")).value).toBe("kept");
  });

  it("withdraws the tool calls that the cell was waiting for", async () => {
    const before = host.cancels.length;
    await interrupted("tools.web.echo(value='never')");
    expect(host.cancels).toHaveLength(before + 1);
    const last = host.requests.at(-1);
    expect(host.cancels.at(-1)).toBe(last?.id);
  });

  it("points at the line that was interrupted and runs the cell's clean-up", async () => {
    const result = (await interrupted(`try:\n    ${begin}    while True: pass\nfinally:\n    print('cleaned')`)) as {
      error: { traceback: string };
    };
    expect(result.error.traceback).toContain("while True: pass");
    await host.run("1");
    expect(host.takeOutput()).toContain("cleaned");
  });

  it("lets a cell catch the interrupt and complete", async () => {
    const result = await interrupted(
      `try:\n    ${begin}    time.sleep(1e6)\nexcept KeyboardInterrupt:\n    pass\n'went on'`,
    );
    expect(result).toMatchObject({ status: "completed", value: "went on" });
  });

  it("never harms the kernel when it lands between cells, however the two race", async () => {
    for (let round = 0; round < 300; round++) {
      const running = host.start("sum(range(100))");
      if (round % 3 > 0) for (let spin = 0; spin < round * 300; spin++) Math.sqrt(spin);
      if (round % 5 === 0) await new Promise(setImmediate);
      host.cancel(running.id);
      expect(["completed", "interrupted"]).toContain(((await running) as { status: string }).status);
    }
    expect((await host.run("kept")).value).toBe("kept");
  });

  it("interrupts a cell that is still queued behind another", async () => {
    host.takeOutput();
    const first = host.start(`${begin}time.sleep(1e6)`);
    const second = host.start("ran = True");
    host.cancel(second.id);
    while (!host.output.includes("begun\n")) await delay(1);
    host.cancel(first.id);
    expect(await first).toMatchObject({ status: "interrupted" });
    expect(await second).toMatchObject({ status: "interrupted" });
    expect((await host.run("'ran' in globals()")).value).toBe(false);
  });
});

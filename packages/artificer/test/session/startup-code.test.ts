import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, type FromBaseOptions, Session, type SessionOptions } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const tempFolder = useTempFolder();
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

const kit = createToolkit({
  name: "kit",
  description: "A kit",
  tools: {
    key: defineTool({ description: "A key", input: z.object({}), effect: "read", run: () => "k-1" }),
    never: defineTool({ description: "Waits", input: z.object({}), run: () => new Promise(() => {}) }),
  },
});

function start(options: SessionOptions): Session {
  const session = new Session({ embedder: null, tools: [kit], ...options });
  open.push(session);
  return session;
}

async function fromBase(base: string, options: FromBaseOptions = {}): Promise<Session> {
  const session = await Session.fromBase(base, { embedder: null, home: join(base, "home"), ...options });
  open.push(session);
  return session;
}

describe("startup code", () => {
  it("runs in every kernel before its first cell, with tools, and is no cell [Y1-19]", async () => {
    const session = start({
      startupCode: { python: "import math\nkey = tools.kit.key()\nprint('ready')" },
    });
    const first = await session.run("math.floor(2.5), key");
    expect(first).toMatchObject({ cell: 1, generation: 1, value: [2, "k-1"], toolCalls: [], stdout: "", notices: [] });
    expect(first.background).toEqual([{ stream: "stdout", text: "ready\n" }]);
    await session.restart();
    expect(await session.run("key")).toMatchObject({ cell: 2, generation: 2, value: "k-1" });
    expect((await session.run("1", { language: "typescript" })).value).toBe(1);
  });

  it("is set in config.yaml, one for each language, and runs after variables were restored [Y1-19]", async () => {
    const base = await tempFolder();
    await writeFile(
      join(base, "config.yaml"),
      "code_execution:\n  startup_code:\n    python: |\n      seen = globals().get('made', 'nothing')\n    typescript: |\n      const seen = await tools.kit.key();\n",
    );
    const first = await fromBase(base, { id: "s", tools: [kit] });
    expect((await first.run("made = 5\nseen")).value).toBe("nothing");
    expect((await first.run("seen", { language: "typescript" })).value).toBe("k-1");
    await first.close();
    const second = await fromBase(base, { id: "s", tools: [kit] });
    expect((await second.run("seen")).value).toBe(5);
  });

  it("that fails is told with its line, and cells run all the same [Y1-19]", async () => {
    const session = start({ startupCode: { python: "made = 1\nimport no_such_module_here\nnever = 2" } });
    const outcome = await session.run("made, 'never' in globals()");
    expect(outcome.value).toEqual([1, false]);
    expect(outcome.notices.join("\n")).toMatch(
      /startup code failed in line 2: ModuleNotFoundError: No module named 'no_such_module_here'/,
    );
    expect((await session.run("1")).notices).toEqual([]);
  });

  it("that takes a cell's time is interrupted, and one that ends its kernel is a refused cell [Y1-19]", async () => {
    const limits = { timeoutMs: 1_000, graceMs: 20_000 };
    const slow = await start({ limits, startupCode: { python: "made = 1\nwhile True: pass" } }).run("made");
    expect(slow.value).toBe(1);
    expect(slow.notices.join()).toContain("startup code failed in line 2");
    const dead = await start({ startupCode: { python: "import os; os._exit(3)" } }).run("1");
    expect(dead).toMatchObject({ status: "refused", error: { code: "kernel/start-failed" } });
    expect(dead.error?.message).toContain("did not survive its startup code");
  });

  it("that is interrupted with the first cell begins anew with the next [Y1-19]", async () => {
    const session = start({ startupCode: { python: "if globals().get('x') is None: x = 1\ntools.kit.key()\ny = 2" } });
    const hooked = start({
      startupCode: { python: "before = 1\ntools.kit.never()\nafter = 2" },
      limits: { graceMs: 20_000 },
    });
    const stop = new AbortController();
    const running = hooked.run("1", { signal: stop.signal, heartbeatMs: 20, onHeartbeat: () => stop.abort() });
    expect((await running).status).toBe("interrupted");
    expect((await session.run("x, y")).value).toEqual([1, 2]);
  });
});

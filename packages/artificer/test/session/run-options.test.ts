import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { createJournal } from "@artificer/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createMemoryStorage,
  createToolkit,
  defineTool,
  type Heartbeat,
  Session,
  type SessionOptions,
} from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const tempFolder = useTempFolder();
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function start(options: SessionOptions = {}): Session {
  const session = new Session({ embedder: null, ...options });
  open.push(session);
  return session;
}

/** A tool that answers when the test says so. */
function gate() {
  let go: (value: string) => void = () => {};
  let entered: () => void = () => {};
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const toolkit = createToolkit({
    name: "gate",
    description: "Waits",
    tools: {
      enter: defineTool({
        description: "Waits",
        input: z.object({}),
        run: () =>
          new Promise<string>((resolve) => {
            go = resolve;
            entered();
          }),
      }),
    },
  });
  return { toolkit, inside, open: () => go("passed") };
}

describe("a cell that waits for its turn", () => {
  it("is told as interrupted at once when it is given up, and never runs [Y2-5]", async () => {
    const { toolkit, inside, open: letPass } = gate();
    const session = start({ tools: [toolkit] });
    const first = session.run("ran = ['first']\ntools.gate.enter()");
    await inside;
    const stop = new AbortController();
    const second = session.run("ran.append('second')", { signal: stop.signal });
    const third = session.run("ran");
    stop.abort(new Error("not wanted any more"));
    // The first cell is still under way: nothing but the signal can have ended the second.
    expect(await second).toMatchObject({
      status: "interrupted",
      cell: 2,
      error: { code: "cell/interrupted", message: expect.stringContaining("before it began: not wanted any more") },
    });
    expect(await session.run("1", { signal: AbortSignal.abort() })).toMatchObject({ status: "interrupted" });
    letPass();
    expect((await first).status).toBe("completed");
    expect((await third).value).toEqual(["first"]);
  });

  it("is refused when it has waited for maxQueueMs, and only then [Y2-5]", async () => {
    const { toolkit, inside, open: letPass } = gate();
    const session = start({ tools: [toolkit], limits: { maxQueueMs: 200 } });
    const first = session.run("ran = ['first']\ntools.gate.enter()");
    await inside;
    const second = await session.run("ran.append('second')");
    expect(second).toMatchObject({
      status: "refused",
      error: { code: "cell/queued-too-long", hint: expect.stringContaining("max_queue") },
      state: { variables: "kept" },
    });
    letPass();
    await first;
    expect((await session.run("ran")).value).toEqual(["first"]);
  });
});

describe("a heartbeat", () => {
  it("tells of a silent cell that it runs, waits for tools, or waits for its turn [X4-29]", async () => {
    const { toolkit, inside, open: letPass } = gate();
    const session = start({ tools: [toolkit] });
    await session.run("import threading");
    const beats: Heartbeat[] = [];
    let seen: (() => void) | undefined;
    const until = (cell: number, phase: Heartbeat["phase"]) =>
      new Promise<void>((resolve) => {
        seen = () => beats.some((beat) => beat.cell === cell && beat.phase === phase) && resolve();
      });
    const options = {
      heartbeatMs: 20,
      onHeartbeat: (beat: Heartbeat) => {
        beats.push(beat);
        seen?.();
        throw new Error("a listener's own fault");
      },
    };
    const stop = new AbortController();
    const running = until(2, "running");
    const silent = session.run("threading.Event().wait()", { ...options, signal: stop.signal });
    await running;
    const queued = until(3, "queued");
    const waiting = session.run("tools.gate.enter()", options);
    await queued;
    stop.abort();
    const waits = until(3, "waiting");
    await Promise.all([inside, waits]);
    letPass();
    expect((await silent).status).toBe("interrupted");
    expect((await waiting).value).toBe("passed");
    const elapsed = beats.filter(({ cell }) => cell === 2).map(({ elapsedMs }) => elapsedMs);
    expect(elapsed).toEqual([...elapsed].sort((a, b) => a - b));
    // Once there is an outcome there are no more of them.
    const before = beats.length;
    await session.run("import time; time.sleep(0.1)");
    expect(beats.length).toBe(before);
  });
});

describe("the author of a cell", () => {
  it("stands in the outcome, beside the variables it made, and in the journal [Y6-9]", async () => {
    const storage = createMemoryStorage();
    const session = start({ storage });
    const made = await session.run("a = 1\nb = 2", { author: "ann" });
    expect(made.author).toBe("ann");
    expect(made.toJSON()).toMatchObject({ author: "ann" });
    await session.run("b = 3", { author: "bob" });
    await session.run("c = 4");
    const makers = (await session.variables()).map(({ name, cell, author }) => [name, cell, author]);
    expect(makers).toEqual([
      ["a", 1, "ann"],
      ["b", 2, "bob"],
      ["c", 3, undefined],
    ]);
    await session.close();
    const { items } = await createJournal({ storage, session: session.id }).read();
    expect(items.filter(({ kind }) => kind === "cell").map(({ data }) => data.author)).toEqual([
      "ann",
      "bob",
      undefined,
    ]);
  });

  it("stands in the outcome of a cell that never ran, and has to be a name [Y6-9]", async () => {
    const session = start();
    expect((await session.run("1", { author: "cy", signal: AbortSignal.abort() })).author).toBe("cy");
    await expect(session.run("1", { author: "" })).rejects.toMatchObject({ code: "usage/invalid-argument" });
  });
});

describe.each(["python", "typescript"] as const)("the working folder of one %s cell", (language) => {
  const where = language === "python" ? "import os; os.getcwd()" : "process.cwd()";
  const leave = language === "python" ? "import os; os.chdir('/')\n1 / 0" : "process.chdir('/'); throw new Error('no')";

  it("holds for that cell alone, however it ends [Y7-4]", async () => {
    const folder = await realpath(await tempFolder());
    await mkdir(join(folder, "below"));
    const session = start({ cwd: folder });
    expect((await session.run(where, { language, cwd: join(folder, "below") })).value).toBe(join(folder, "below"));
    expect((await session.run(where, { language })).value).toBe(folder);
    expect((await session.run(where, { language, cwd: "below" })).value).toBe(join(folder, "below"));
    expect((await session.run(leave, { language, cwd: "below" })).status).toBe("failed");
    expect((await session.run(where, { language })).value).toBe(folder);
  });

  it("that is not there is told, and the cell is not run [Y7-4]", async () => {
    const session = start();
    const outcome = await session.run("ran = true", { language, cwd: "/no/such/folder" });
    expect(outcome).toMatchObject({ status: "failed", error: { code: "cell/bad-folder" } });
    expect(outcome.toText()).toContain("/no/such/folder");
    expect(await session.variables(language)).toEqual([]);
    await expect(session.run("1", { language, cwd: "" })).rejects.toMatchObject({ code: "usage/invalid-argument" });
  });
});

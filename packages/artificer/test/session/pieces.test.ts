import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, Session, type SessionOptions } from "../../src/index.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

/** Tools whose results come in pieces, and what became of their sources. */
function streams() {
  const ended: string[] = [];
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* endless(name: string) {
    try {
      for (let n = 0; ; n++) yield "x".repeat(1000) + n;
    } finally {
      ended.push(name);
      release();
    }
  }
  const tool = (run: () => unknown, output?: z.ZodType) =>
    defineTool({ description: "Streams", input: z.object({}), effect: "read", run, ...(output ? { output } : {}) });
  const toolkit = createToolkit({
    name: "stream",
    description: "Streams",
    tools: {
      rows: tool(async function* () {
        for (const id of [1, 2, 3]) yield { id };
      }),
      plain: tool(function* () {
        yield "a";
        yield* ["b"];
      }),
      none: tool(async function* () {}),
      bytes: tool(() => Readable.from([Buffer.from([1, 2]), Buffer.from([3])])),
      web: tool(() => new Blob(["é"]).stream()),
      checked: tool(async function* () {
        yield 1;
        yield 2;
      }, z.array(z.int())),
      wrong: tool(async function* () {
        yield "one";
      }, z.array(z.int())),
      breaks: tool(async function* () {
        yield 1;
        throw new Error("the line was cut");
      }),
      endless: tool(() => endless("endless")),
      stuck: tool(async function* () {
        yield 1;
        await new Promise(() => {});
      }),
    },
  });
  return { toolkit, ended, released };
}

function start(options: SessionOptions): Session {
  const session = new Session({ embedder: null, ...options });
  open.push(session);
  return session;
}

describe("a tool whose result comes in pieces", () => {
  it.each([
    ["rows", [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ["plain", ["a", "b"]],
    ["none", []],
    ["bytes", new Uint8Array([1, 2, 3])],
    ["web", new Uint8Array([0xc3, 0xa9])],
    ["checked", [1, 2]],
  ])("gives them as one list, or as bytes: %s [Y3-24]", async (name, value) => {
    const session = start({ tools: [streams().toolkit] });
    expect((await session.run(`tools.stream.${name}()`)).value).toEqual(value);
    expect((await session.run(`await tools.stream.${name}()`, { language: "typescript" })).value).toEqual(value);
  });

  it("fails as any tool does when its source fails, or does not fit its schema [Y3-24]", async () => {
    const session = start({ tools: [streams().toolkit] });
    expect((await session.run("tools.stream.breaks()")).error?.message).toContain("the line was cut");
    expect((await session.run("tools.stream.wrong()")).error?.message).toContain("output schema");
  });

  it("is ended when there is no end to it, and its source with it [Y3-24]", async () => {
    const { toolkit, ended, released } = streams();
    const outcome = await start({ tools: [toolkit] }).run("tools.stream.endless()");
    expect(outcome.error?.message).toMatch(/100000 of them.*it was ended[\s\S]*Ask for less/);
    await released;
    expect(ended).toEqual(["endless"]);
  });

  it("is left alone when its cell is stopped while it waits for the next piece [Y3-24]", async () => {
    const session = start({ tools: [streams().toolkit], limits: { maxWaitingMs: 300 } });
    const outcome = await session.run("kept = 1\ntools.stream.stuck()");
    expect(outcome).toMatchObject({ status: "timed-out", state: { variables: "kept" } });
    expect((await session.run("kept")).value).toBe(1);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMemoryStorage, createToolkit, defineTool, Session, type SessionOptions } from "../../src/index.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function start(options: SessionOptions = {}): Session {
  const session = new Session({ embedder: null, ...options });
  open.push(session);
  return session;
}

const big = createToolkit({
  name: "big",
  description: "Large results",
  tools: {
    text: defineTool({
      description: "As many characters as asked for",
      input: z.object({ size: z.int() }),
      effect: "read",
      run: ({ size }) => "0123456789".repeat(size / 10),
    }),
    rows: defineTool({
      description: "As many rows as asked for",
      input: z.object({ count: z.int() }),
      effect: "read",
      run: ({ count }) => Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}` })),
    }),
  },
});

describe("a large value", () => {
  it("of 50 MB costs the model under 500 tokens and is there in the next cell, in the kernel and as an artifact [M8] [A5]", async () => {
    const session = start();
    const outcome = await session.run("b'ab' * 25_000_000");
    expect(outcome.toText().length / 4).toBeLessThan(500);
    expect(outcome.value).toBeUndefined();
    const artifact = outcome.reference!.artifact!;
    expect(outcome.reference).toMatchObject({ id: "_1", type: "bytes", shape: [50_000_000] });
    expect(outcome.reference!.bytes).toBeGreaterThanOrEqual(50_000_000);
    expect(outcome.truncated).toEqual([
      { what: "value", keptBytes: expect.any(Number), totalBytes: outcome.reference!.bytes, artifact },
    ]);
    const next = await session.run(
      `_1 is Out[1] and len(_1) == 50_000_000 and artifacts.load(${JSON.stringify(artifact)}) == _1`,
    );
    expect(next.value).toBe(true);
    expect(JSON.stringify(outcome).length).toBeLessThan(6_000);
  });

  it.each([
    ["'é' * 1_000_000", "str", [1_000_000], /^'é+$/, /^é+'$/],
    ["list(range(400_000))", "list", [400_000], /^\[0, 1, 2, /, /399998, 399999\]$/],
    ["[[1] * 1_000_000] * 2", "list", [2], /^\[\[1, 1, /, /1, 1\]\]$/],
    ["{i: str(i) for i in range(200_000)}", "dict", [200_000], /^\{0: '0', 1: '1', /, /199999: '199999'\}$/],
    ["[{'name': 'n%d' % i} for i in range(100_000)]", "list", [100_000], /^\[\{'name': 'n0'\}/, /'n99999'\}\]$/],
  ])("%s is told by its type, shape, head and tail", async (code, type, shape, head, tail) => {
    const session = start();
    const { reference, repr, value } = await session.run(code);
    expect(reference).toMatchObject({ type, shape });
    expect(reference!.head).toMatch(head);
    expect(reference!.tail).toMatch(tail);
    expect(repr).toBe(`${reference!.head}…${reference!.tail}`);
    expect(value).toBeUndefined();
    const loaded = await session.run(`artifacts.load(${JSON.stringify(reference!.artifact)}) == _`);
    expect(loaded.value).toBe(true);
  });

  it("beyond what may be carried at all stays in the kernel alone, and that is said", async () => {
    const session = start({ limits: { maxInlineBytes: 1_000, maxValueBytes: 10_000 } });
    const outcome = await session.run("'x' * 20_000");
    expect(outcome.reference).toMatchObject({ id: "_1", type: "str", shape: [20_000] });
    expect(outcome.reference!.artifact).toBeUndefined();
    expect(outcome.notices.join()).toContain("only in the kernel, as _1");
    expect((await session.run("len(_1)")).value).toBe(20_000);
  });

  it("that can't be saved is still told, with the reason", async () => {
    const storage = createMemoryStorage();
    const blobs = { ...storage.blobs, write: async () => Promise.reject(new Error("the disk is full")) };
    const session = start({ storage: { ...storage, blobs }, limits: { maxInlineBytes: 1_000 } });
    const outcome = await session.run("'x' * 20_000");
    expect(outcome).toMatchObject({ status: "completed", reference: { id: "_1" } });
    expect(outcome.notices.join()).toContain("the disk is full");
  });

  it("whose repr alone is too long is carried, and its repr is told as cut [A5]", async () => {
    const session = start();
    const outcome = await session.run("'ü' * 20_000");
    expect(outcome.value).toBe("ü".repeat(20_000));
    expect(outcome.truncated).toMatchObject([{ what: "repr" }]);
    expect(outcome.truncated[0]!.keptBytes).toBe(Buffer.byteLength(outcome.repr!));
    expect(outcome.truncated[0]!.totalBytes).toBeGreaterThan(outcome.truncated[0]!.keptBytes);
    expect(outcome.toText()).toContain("_1");
  });
});

describe("the values of earlier cells", () => {
  it("are _, __, ___, _n and Out[n], the last twenty of them, and the user's own names come first", async () => {
    const session = start();
    for (let cell = 1; cell <= 25; cell++) await session.run(`${cell} * 10`);
    expect((await session.run("[_, __, ___, _25, Out[24]]")).value).toEqual([250, 240, 230, 250, 240]);
    expect((await session.run("_1")).error).toMatchObject({ type: "NameError" });
    expect((await session.run("Out[1]")).error?.message).toContain("only the last 20 values are");
    await session.run("_ = 'mine'");
    expect((await session.run("_")).value).toBe("mine");
    await session.run("del _; Out.clear()");
    expect((await session.run("_")).error).toMatchObject({ type: "NameError" });
    expect((await session.variables()).map(({ name }) => name)).toEqual([]);
  });

  it("keep only the last few large ones alive", async () => {
    const session = start({ limits: { maxInlineBytes: 1_000 } });
    for (let cell = 1; cell <= 7; cell++) await session.run(`'${cell}' * 2_000`);
    expect((await session.run("sorted(Out)")).value).toEqual([4, 5, 6, 7]);
  });
});

describe("a tool's result over the limit", () => {
  it("is a typed error in the cell, which goes on, and in the record of the call [A6]", async () => {
    const session = start({ tools: [big], limits: { maxResultBytes: 10_000 } });
    const outcome = await session.run(`
try:
    tools.big.text(size=20_000)
except Exception as error:
    print(error.code, error.details["bytes"] > 20_000)
len(tools.big.text(size=1_000))`);
    expect(outcome).toMatchObject({ status: "completed", value: 1_000, stdout: "tool/result-too-large True\n" });
    expect(outcome.toolCalls).toMatchObject([
      { status: "failed", reached: true, error: { code: "tool/result-too-large" } },
      { status: "completed", reached: true },
    ]);
  });

  it("is a reference to an artifact when large results are kept [A6]", async () => {
    const session = start({ tools: [big], limits: { maxResultBytes: 10_000, largeResults: "keep" } });
    const outcome = await session.run(`
kept = tools.big.rows(count=1_000)
print(type(kept).__name__, kept.type, kept.shape, kept.bytes > 10_000, kept.head[:10])
rows = artifacts.load(kept.artifact)
(len(rows), rows[999]["name"], kept.load() == rows)`);
    expect(outcome.stdout).toBe("Reference list [1000] True {id, name}\n");
    expect(outcome.value).toEqual([1_000, "row 999", true]);
    expect(outcome.toolCalls).toMatchObject([{ status: "completed", reached: true }]);
  });
});

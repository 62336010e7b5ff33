import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMemoryStorage, createToolkit, defineTool, Session, type SessionOptions } from "../../src/index.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function start(options: SessionOptions = {}) {
  const session = new Session({ embedder: null, ...options });
  open.push(session);
  const run = (code: string) => session.run(code, { language: "typescript" });
  return { session, run };
}

const big = createToolkit({
  name: "big",
  description: "Large results",
  tools: {
    rows: defineTool({
      description: "As many rows as asked for",
      input: z.object({ count: z.int() }),
      effect: "read",
      run: ({ count }) => Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}` })),
    }),
  },
});

describe("a large value of a TypeScript cell", () => {
  it("of 50 MB costs the model under 500 tokens and is there in the next cell, in the kernel and as an artifact [M8] [A5]", async () => {
    const { run } = start();
    const outcome = await run("new Uint8Array(50_000_000).fill(7)");
    expect(outcome.toText().length / 4).toBeLessThan(500);
    expect(outcome.value).toBeUndefined();
    const artifact = outcome.reference!.artifact!;
    expect(outcome.reference).toMatchObject({ id: "_1", type: "Uint8Array", shape: [50_000_000] });
    expect(outcome.truncated).toEqual([
      { what: "value", keptBytes: expect.any(Number), totalBytes: outcome.reference!.bytes, artifact },
    ]);
    const next = await run(
      `_1 === Out[1] && _1.length === 50_000_000 && Buffer.compare(await artifacts.load(${JSON.stringify(artifact)}), _1) === 0`,
    );
    expect(next.value).toBe(true);
    expect(JSON.stringify(outcome).length).toBeLessThan(6_000);
  });

  it.each([
    ["'é'.repeat(100_000)", "string", [100_000], /^'é+$/, /^é+'$/],
    ["Array.from({ length: 40_000 }, (_, n) => n)", "Array", [40_000], /^\[0, 1, 2, /, /39998, 39999\]$/],
    ["[Array(1e5).fill(1), Array(1e5).fill(1)]", "Array", [2], /^\[\[1, 1, /, /1, 1\]\]$/],
    [
      "new Map(Array.from({ length: 10_000 }, (_, n) => [n, 'v' + n]))",
      "Map",
      [10_000],
      /^Map \{0 => 'v0', /,
      /'v9999'\}$/,
    ],
    [
      "Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => ['k' + n, n]))",
      "Object",
      [20_000],
      /^\{k0: 0, /,
      /k19999: 19999\}$/,
    ],
    [
      "Array.from({ length: 10_000 }, (_, n) => ({ name: 'n' + n }))",
      "Array",
      [10_000],
      /^\[\{name: 'n0'\}/,
      /'n9999'\}\]$/,
    ],
    ["new Float64Array(20_000)", "Float64Array", [20_000], /^Float64Array \[0, 0, /, /0, 0\]$/],
  ])("%s is told by its type, shape, head and tail", async (code, type, shape, head, tail) => {
    const { run } = start({ limits: { maxInlineBytes: 50_000 } });
    const { reference, repr, value } = await run(code);
    expect(reference).toMatchObject({ type, shape });
    expect(reference!.head).toMatch(head);
    expect(reference!.tail).toMatch(tail);
    expect(repr).toBe(`${reference!.head}…${reference!.tail}`);
    expect(value).toBeUndefined();
    const loaded = await run(
      `import { isDeepStrictEqual } from "node:util";\nisDeepStrictEqual(await artifacts.load(${JSON.stringify(reference!.artifact)}), _)`,
    );
    expect(loaded).toMatchObject({ status: "completed", value: true });
  });

  it("beyond what may be carried at all stays in the kernel alone, and that is said", async () => {
    const { run } = start({ limits: { maxInlineBytes: 1_000, maxValueBytes: 10_000 } });
    for (const code of ["'x'.repeat(20_000)", "Array(20_000).fill(1)", "({ deep: { text: 'x'.repeat(20_000) } })"]) {
      const outcome = await run(code);
      expect(outcome.reference).toMatchObject({ id: `_${outcome.cell}` });
      expect(outcome.reference!.artifact).toBeUndefined();
      expect(outcome.notices.join()).toContain(`only in the kernel, as _${outcome.cell}`);
    }
    expect((await run("[_1.length, _2.length, _3.deep.text.length]")).value).toEqual([20_000, 20_000, 20_000]);
  });

  it("that can't be encoded is shown, and told as Python's is", async () => {
    const { run, session } = start();
    const [typescript, python] = [await run("[() => 1]"), await session.run("[object()]")];
    for (const { value, reference, notices } of [typescript, python]) {
      expect([value, reference]).toEqual([undefined, undefined]);
      expect(notices.join()).toContain("shown but not carried");
    }
  });

  it("that can't be saved is still told, with the reason", async () => {
    const storage = createMemoryStorage();
    const blobs = { ...storage.blobs, write: async () => Promise.reject(new Error("the disk is full")) };
    const { run } = start({ storage: { ...storage, blobs }, limits: { maxInlineBytes: 1_000 } });
    const outcome = await run("'x'.repeat(20_000)");
    expect(outcome).toMatchObject({ status: "completed", reference: { id: "_1" } });
    expect(outcome.notices.join()).toContain("the disk is full");
  });
});

describe("the values of earlier TypeScript cells", () => {
  it("are _, __, ___, _n and Out[n], the last twenty of them, and the user's own names come first", async () => {
    const { run, session } = start();
    for (let cell = 1; cell <= 25; cell++) await run(`${cell} * 10`);
    expect((await run("[_, __, ___, _25, Out[24]]")).value).toEqual([250, 240, 230, 250, 240]);
    expect((await run("_1")).error).toMatchObject({ type: "ReferenceError" });
    expect((await run("Out[1]")).error?.message).toContain("only the last 20 values are");
    await run("_ = 'assigned'");
    expect((await run("_")).value).toBe("assigned");
    await run("const _ = 'mine'; const Out = 'also mine'");
    expect((await run("[_, Out]")).value).toEqual(["mine", "also mine"]);
    expect((await session.variables("typescript")).map(({ name }) => name)).toEqual(["Out", "_"]);
  });

  it("are let go of by Out.clear()", async () => {
    const { run } = start();
    await run("'value'");
    expect((await run("Object.keys(Out)")).value).toEqual(["1"]);
    await run("Out.clear()");
    expect((await run("_1")).error).toMatchObject({ type: "ReferenceError" });
  });

  it("keep only the last few large ones alive", async () => {
    const { run } = start({ limits: { maxInlineBytes: 1_000 } });
    for (let cell = 1; cell <= 7; cell++) await run(`'${cell}'.repeat(2_000)`);
    expect((await run("Object.keys(Out)")).value).toEqual(["4", "5", "6", "7"]);
  });

  it("and variables are read as data by the host, as Python's are", async () => {
    const { run, session } = start({ limits: { maxValueBytes: 10_000 } });
    await run("const rows = new Map([[1, 'a']]); let text = 'x'.repeat(20_000); const bad = [() => 1]; class Kept {}");
    expect(await session.value("rows", { language: "typescript" })).toEqual(new Map([[1, "a"]]));
    const refusal = (name: string) =>
      session.value(name, { language: "typescript" }).catch((error: { code: string }) => error.code);
    expect(await refusal("text")).toBe("cell/value-too-large");
    expect(await refusal("bad")).toBe("value/not-encodable");
    expect(await refusal("Kept")).toBe("value/not-encodable");
    await expect(session.value("rowz", { language: "typescript" })).rejects.toMatchObject({
      code: "session/unknown-variable",
      hint: "Did you mean rows?",
    });
  });
});

describe("a tool's result over the limit in a TypeScript cell", () => {
  it("is a typed error in the cell, which goes on, and in the record of the call [A6]", async () => {
    const { run } = start({ tools: [big], limits: { maxResultBytes: 10_000 } });
    const outcome = await run(`
try { await tools.big.rows({ count: 1_000 }) } catch (error) { console.log(error.code, error.details.bytes > 10_000) }
(await tools.big.rows({ count: 10 })).length`);
    expect(outcome).toMatchObject({ status: "completed", value: 10, stdout: "tool/result-too-large true\n" });
    expect(outcome.toolCalls).toMatchObject([
      { status: "failed", reached: true, error: { code: "tool/result-too-large" } },
      { status: "completed", reached: true },
    ]);
  });

  it("is a reference to an artifact when large results are kept, and goes back as one [A6]", async () => {
    const { run, session } = start({ tools: [big], limits: { maxResultBytes: 10_000, largeResults: "keep" } });
    const outcome = await run(`
const kept = await tools.big.rows({ count: 1_000 });
console.log(kept.constructor.name, kept.type, kept.shape, kept.bytes > 10_000, kept.head.slice(0, 10));
const rows = await artifacts.load(kept.artifact);
await share("kept", kept);
[rows.length, rows[999].name, (await kept.load()).length]`);
    expect(outcome.stdout).toBe("Reference list [ 1000 ] true {id, name}\n");
    expect(outcome.value).toEqual([1_000, "row 999", 1_000]);
    expect((await session.run("len(shared.kept.load())")).value).toBe(1_000);
  });
});

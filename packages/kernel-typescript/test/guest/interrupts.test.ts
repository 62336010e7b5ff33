import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ScriptedHost } from "../scripted-host.js";
import { interruptedOnceBegun } from "./interrupted-once-begun.js";

let host: ScriptedHost;
const bindings = {
  toolkits: [
    {
      name: "slow",
      identifier: "slow",
      description: "",
      tools: [
        {
          name: "wait",
          identifier: "wait",
          flat: "wait",
          description: "",
          parameters: [],
          returns: "null",
          open: false,
        },
      ],
    },
  ],
};
const withdrawn: string[] = [];
let asked = 0;

beforeAll(async () => {
  host = await ScriptedHost.open({
    bindings,
    answer: ({ method, signal }) =>
      new Promise((resolve) => {
        asked++;
        signal.addEventListener("abort", () => {
          withdrawn.push(method);
          resolve("too late");
        });
      }),
  });
  await host.cell("let keep = 42");
});
afterAll(() => host.close());

const interrupted = (code: string) => interruptedOnceBegun(host, code);

describe("interrupting keeps the state, whatever the cell is doing", () => {
  test.each([
    ["a busy loop", "for (;;) {}"],
    ["a busy loop after an await", "await new Promise((r) => setTimeout(r, 20)); for (;;) {}"],
    ["a storm of promise jobs", "for (;;) await null"],
    ["a regular expression that backtracks", '/(a+)+$/.test("a".repeat(40) + "b")'],
    ["a blocked thread", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)"],
    ["code that catches everything", "while (true) { try { for (;;) {} } catch {} finally {} }"],
    ["an endless wait", "await new Promise(() => {})"],
    ["a busy timer", "await new Promise(() => setTimeout(() => { for (;;) {} }, 5))"],
    ["a busy interval", "await new Promise(() => setInterval(() => { for (;;) {} }, 5))"],
    ["a busy immediate", "await new Promise(() => setImmediate(() => { for (;;) {} }))"],
    ["a busy tick", "await new Promise(() => process.nextTick(() => { for (;;) {} }))"],
    [
      "a busy callback of the file system",
      'import { stat } from "node:fs"; await new Promise(() => stat("/", () => { for (;;) {} }))',
    ],
    ["a busy function", "function spin() { for (;;) {} }\nspin()"],
  ])("%s", async (_, code) => {
    const result = await interrupted(code);
    expect(result).toMatchObject({ status: "interrupted", error: { type: "Interrupted" } });
    expect((await host.cell("keep")).value).toBe(42);
    expect((await host.cell("await new Promise((r) => setTimeout(() => r('alive'), 5))")).value).toBe("alive");
  });
});

test("it says where the code was", async () => {
  const { error } = await interrupted("const spin = () => {\n  console.log('begun'); for (;;) {}\n}\nspin()");
  expect(error!.line).toBe(2);
  expect(error!.traceback).toMatch(/^Interrupted: .*\n {4}at spin \(cell (\d+):2:\d+\)\n {4}at cell \1:4:1$/);
});

test("what a cell printed before is kept", async () => {
  expect((await interrupted("console.log('begun'); for (;;) {}")).stdout).toBe("begun\n");
});

test("timers of an interrupted cell fire no more, and its loops stop", async () => {
  await interrupted("globalThis.count = 0; while (true) { await new Promise((r) => setTimeout(r, 1)); count++ }");
  const first = (await host.cell("count")).value;
  expect((await host.cell("await new Promise((r) => setTimeout(r, 40)); count")).value).toBe(first);
  await interrupted(
    'import { setTimeout as pause } from "node:timers/promises"; count = 0; while (true) { await pause(1); count++ }',
  );
  const second = (await host.cell("count")).value;
  expect((await host.cell("await new Promise((r) => setTimeout(r, 40)); count")).value).toBe(second);
});

test("a tool call that the cell waits for is withdrawn, and never comes back", async () => {
  withdrawn.length = 0;
  asked = 0;
  const controller = new AbortController();
  const running = host.cell("await tools.slow.wait(); globalThis.cameBack = true", controller.signal);
  while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  expect((await running).status).toBe("interrupted");
  await host.cell("await new Promise((r) => setTimeout(r, 20))");
  expect(withdrawn).toEqual(["tools.call"]);
  expect((await host.cell("typeof cameBack")).value).toBe("undefined");
});

test("a cell that has not begun is interrupted too, and the one before it is not", async () => {
  const controller = new AbortController();
  const first = host.cell("await new Promise((r) => setTimeout(r, 60)); 'first'");
  const second = host.cell("globalThis.began = true", controller.signal);
  controller.abort();
  expect((await second).status).toBe("interrupted");
  expect((await first).value).toBe("first");
  expect((await host.cell("typeof began")).value).toBe("undefined");
});

test("twenty interrupts one after another lose no cell", async () => {
  for (let round = 0; round < 20; round++) {
    const controller = new AbortController();
    // The cell ends by itself at about the moment it is interrupted: either way the next one must run.
    const running = host.cell(
      "const until = performance.now() + 50; while (performance.now() < until);",
      controller.signal,
    );
    await new Promise((resolve) => setTimeout(resolve, 40 + round));
    controller.abort();
    expect(["interrupted", "completed"]).toContain((await running).status);
    expect((await host.cell("keep")).value).toBe(42);
  }
});

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createCodeModeTools,
  createExecuteCodeTool,
  createToolkit,
  defineTool,
  Session,
  type SessionOptions,
} from "../../src/index.js";
import { hearLine } from "../support/hear-line.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

const math = createToolkit({
  name: "math",
  description: "Arithmetic",
  tools: {
    add: defineTool({
      description: "Adds two numbers.",
      input: z.object({ a: z.number(), b: z.number() }),
      effect: "read",
      run: ({ a, b }) => a + b,
    }),
    fail: defineTool({
      description: "Fails.",
      input: z.object({}),
      run: () => {
        throw new Error("broken pipe");
      },
    }),
  },
});

function start(options: SessionOptions = {}): Session {
  const session = new Session({ embedder: null, tools: [math], ...options });
  open.push(session);
  return session;
}

describe("execute_code", () => {
  it("is described by the tools, the mode and the limits that the session really has [M1]", () => {
    const tool = createExecuteCodeTool(start({ limits: { maxToolCalls: 7, maxStdoutBytes: 20_000 } }), {
      timeoutMs: 300_000,
    });
    expect(tool.name).toBe("execute_code");
    expect(tool.inputSchema).toMatchObject({
      required: ["code"],
      properties: { code: { type: "string" }, reset: { type: "boolean", default: false } },
    });
    for (const telling of [
      "tools.math.add(a: float, b: float)",
      "7 tool calls",
      "5 minutes",
      "20 KB",
      "10 KB",
      "from artificer_tools import add, fail",
      "json_parse, shell_quote, retry",
      "venv",
    ])
      expect(tool.description).toContain(telling);
    // Models that read such words believe that they have no network.
    expect(tool.description.toLowerCase()).not.toMatch(/sandbox|isolated|cloud/);
    const strict = createExecuteCodeTool(start({ tools: [], mode: "strict" }));
    expect(strict.description).toContain("temp dir");
    expect(strict.description).toContain("no tools in this session");
    expect(strict.description).not.toMatch(/import ,|tools\.math/);
  });

  it("answers with status, output, tool_calls_made and duration_seconds, and keeps state between calls [M1] [M9]", async () => {
    const tool = createExecuteCodeTool(start());
    expect(await tool.call({ code: "from artificer_tools import add\ntotal = add(1, 2)\nprint(total)" })).toEqual({
      status: "success",
      output: "3",
      tool_calls_made: 1,
      duration_seconds: expect.any(Number),
      kernel: { generation: 1, cell: 1, reused: false, state_reset: false, ended: false },
      stdout: { truncated: false, bytes_kept: 2, bytes_total: 2, bytes_omitted: 0 },
      stderr: { truncated: false, bytes_kept: 0, bytes_total: 0, bytes_omitted: 0 },
    });
    expect(await tool.call({ code: "total + 1" })).toMatchObject({
      status: "success",
      output: "Out[2]: 4",
      tool_calls_made: 0,
    });
    const fresh = await tool.call({ code: "total", reset: true });
    expect(fresh).toMatchObject({ status: "error", tool_calls_made: 0 });
    expect(fresh.output).toContain("NameError");
  });

  it("says which kernel ran the code, and how much of its output there was, in fields that are always there [X1-14] [X1-15]", async () => {
    const tool = createExecuteCodeTool(start({ limits: { maxStdoutBytes: 1000 } }));
    const whole = { truncated: false, bytes_kept: 3, bytes_total: 3, bytes_omitted: 0 };
    const none = { truncated: false, bytes_kept: 0, bytes_total: 0, bytes_omitted: 0 };
    expect(await tool.call({ code: "x = 1\nprint('é')" })).toMatchObject({
      kernel: { generation: 1, cell: 1, reused: false, state_reset: false, ended: false },
      stdout: whole,
      stderr: none,
    });
    const cut = await tool.call({ code: "import sys\nprint('y' * 4999)\nprint('!', file=sys.stderr)" });
    expect(cut).toMatchObject({
      kernel: { generation: 1, cell: 2, reused: true, state_reset: false },
      stdout: { truncated: true, bytes_total: 5000, artifact: expect.stringContaining("cell-2-stdout") },
      stderr: { truncated: false, bytes_total: 2 },
    });
    expect(cut.stdout.bytes_kept + cut.stdout.bytes_omitted).toBe(5000);
    expect(await tool.call({ code: "import os; os._exit(1)" })).toMatchObject({
      status: "error",
      kernel: { generation: 1, reused: true, ended: true },
    });
    expect(await tool.call({ code: "1" })).toMatchObject({
      kernel: { generation: 2, cell: 4, reused: false, state_reset: true, ended: false },
    });
    expect(await tool.call({ code: "1", reset: true })).toMatchObject({
      kernel: { generation: 3, reused: false, state_reset: true },
    });
    const refused = await tool.call({ code: "" });
    expect(refused).toMatchObject({ status: "error", stdout: none, stderr: none });
    expect(refused.kernel).toBeUndefined();
  });

  it("lets the model set a time limit for one call, within the host's [X1-21]", async () => {
    const tool = createExecuteCodeTool(start(), { timeoutMs: 60_000, maxTimeoutMs: 90_000 });
    const limit = (tool.inputSchema.properties as Record<string, { description: string; maximum: number }>)
      .timeout_seconds!;
    expect(limit).toMatchObject({ maximum: 90, description: expect.stringMatching(/60 unless given, 90 at most/) });
    expect(await tool.call({ code: "while True: pass", timeout_seconds: 0.3 })).toMatchObject({
      status: "timeout",
      error: expect.stringContaining("0.3 s"),
    });
    expect(await tool.call({ code: "7", timeout_seconds: 90 })).toMatchObject({ status: "success" });
    for (const [given, said] of [
      [91, /91.*at most 90/],
      [0, /more than 0/],
      ["5", /must be a number, not "5"/],
    ] as const)
      expect(await tool.call({ code: "7", timeout_seconds: given })).toMatchObject({
        status: "error",
        error: expect.stringMatching(said),
      });
    // Where the host says nothing more, its usual limit is the bound.
    const narrow = createExecuteCodeTool(start(), { timeoutMs: 500 });
    expect(await narrow.call({ code: "7", timeout_seconds: 2 })).toMatchObject({
      error: expect.stringMatching(/at most 0.5/),
    });
  });

  it.each([
    [
      "an exception",
      "print('so far')\n1 / 0",
      { status: "error", error: "ZeroDivisionError: division by zero" },
      /so far\nTraceback/,
    ],
    ["sys.exit(3)", "import sys\nprint('so far')\nsys.exit(3)", { status: "error", exit_code: 3 }, /so far/],
    ["a syntax error", "def f(:", { status: "error" }, /SyntaxError/],
    [
      "a timeout",
      "print('so far', flush=True)\nwhile True: pass",
      { status: "timeout" },
      /so far[\s\S]*timed-out[\s\S]*variables are kept/,
    ],
    ["a dead kernel", "print('so far', flush=True)\nimport os; os._exit(4)", { status: "error" }, /so far[\s\S]*lost/],
    ["a failing tool", "tools.math.fail()", { status: "error", tool_calls_made: 1 }, /broken pipe/],
  ])("tells %s with what came before it [M10]", async (_what, code, told, output) => {
    const tool = createExecuteCodeTool(start(), { timeoutMs: told.status === "timeout" ? 1_500 : 60_000 });
    const answer = await tool.call({ code });
    expect(answer).toMatchObject({
      tool_calls_made: expect.any(Number),
      duration_seconds: expect.any(Number),
      error: expect.any(String),
      ...told,
    });
    expect(answer.output).toMatch(output);
  });

  it("tells an interruption with its true reason [M10]", async () => {
    const tool = createExecuteCodeTool(start());
    const stop = new AbortController();
    const begun = hearLine();
    void begun.line.then(() => stop.abort(new Error("superseded by a newer request")));
    const answer = await tool.call(
      { code: "print('begun')\nwhile True: pass" },
      { signal: stop.signal, onOutput: begun.hear },
    );
    expect(answer).toMatchObject({ status: "interrupted", tool_calls_made: 0 });
    expect(answer.output).toMatch(/begun[\s\S]*superseded by a newer request/);
  });

  it.each([
    [{ command: "ls" }, /'command'.*'code'/],
    [{ code: 123 }, /string, not a value of type number/],
    [{ code: ["a"] }, /not an array/],
    [{ code: "   \n" }, /No code was given/],
    [{ code: null }, /No code was given/],
    [{ code: "1", rest: true }, /no argument 'rest'. Did you mean 'reset'\?/],
    [{ code: "1", reset: "yes" }, /'reset' must be true or false/],
    ["print(1)", /takes an object/],
    [undefined, /takes an object/],
  ])("answers %j by saying what would be right, in the same form [M1]", async (args, error) => {
    const session = start();
    const answer = await createExecuteCodeTool(session).call(args);
    expect(answer).toMatchObject({
      status: "error",
      output: "",
      tool_calls_made: 0,
      duration_seconds: expect.any(Number),
    });
    expect(answer.error).toMatch(error);
  });

  it("answers in the same form when the session is closed", async () => {
    const session = start();
    await session.close();
    expect(await createExecuteCodeTool(session).call({ code: "1" })).toMatchObject({
      status: "error",
      error: expect.stringContaining("closed"),
    });
  });
});

describe("the code mode tools", () => {
  it("are execute and restart, or execute alone [A1]", () => {
    const session = start();
    expect(createCodeModeTools(session).map(({ name }) => name)).toEqual(["execute", "restart"]);
    const [execute, ...rest] = createCodeModeTools(session, { allowRestart: false });
    expect(rest).toEqual([]);
    expect(execute!.description).not.toContain("restart");
    expect(execute!.inputSchema).toMatchObject({ required: ["code"], additionalProperties: false });
  });

  it("run in the session they were made for, whatever the model names; restart gives a fresh kernel [A1]", async () => {
    const [execute, restart] = createCodeModeTools(start());
    const [other] = createCodeModeTools(start());
    expect(await execute!.call({ code: "x = 41\nx + 1" })).toEqual({
      content: "Out[1]: 42",
      images: [],
      isError: false,
    });
    expect((await execute!.call({ code: "x", session_id: "another" })).content).toContain("no argument 'session_id'");
    expect((await other!.call({ code: "x" })).content).toContain("NameError");
    expect(await restart!.call({})).toMatchObject({ isError: false });
    expect(await execute!.call({ code: "x" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("NameError"),
    });
  });

  it("hand pictures over as pictures, and tell streams apart [A5]", async () => {
    const [execute] = createCodeModeTools(start());
    const answer = await execute!.call({
      code: "import sys\nprint('out')\nprint('err', file=sys.stderr)\nb'\\x89PNG\\r\\n\\x1a\\n...'",
    });
    expect(answer.images).toEqual([
      { mimeType: "image/png", data: new Uint8Array(Buffer.from("\x89PNG\r\n\x1a\n...", "latin1")) },
    ]);
    expect(answer.content).toMatch(/^out\n\[stderr\] err\n\[shown: image\/png, 11 bytes\]\nOut\[1\]: /);
  });
});

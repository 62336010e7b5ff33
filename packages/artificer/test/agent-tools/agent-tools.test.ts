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
    const tool = createExecuteCodeTool(start(), { timeoutMs: 700 });
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
    const answer = await tool.call(
      { code: "print('begun')\nwhile True: pass" },
      { signal: stop.signal, onOutput: () => stop.abort(new Error("superseded by a newer request")) },
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

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createCodeModeTools, createExecuteCodeTool, type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const tempFolder = useTempFolder();
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

async function start(options: FromBaseOptions = {}) {
  const base = await tempFolder();
  const home = join(base, "home");
  await mkdir(home);
  await writeFile(join(base, "config.yaml"), "code_execution:\n  timeout: 60\n");
  const session = await Session.fromBase(base, { embedder: null, home, ...options });
  open.push(session);
  return {
    session,
    edit: (text: string) => writeFile(join(base, "config.yaml"), text),
    editHome: (text: string) => writeFile(join(home, "config.yaml"), text),
  };
}

describe("an edit of config.yaml while a session is open", () => {
  it("holds from the next cell on where it sets limits of cells, and is told with it [X5-12]", async () => {
    const { session, edit, editHome } = await start();
    expect((await session.run("kept = 1")).notices).toEqual([]);
    await edit("code_execution:\n  timeout: 1.5\n  max_stdout: 100\n");
    const outcome = await session.run("print('x' * 5000)\nwhile True: pass");
    expect(outcome).toMatchObject({ status: "timed-out", state: { variables: "kept" } });
    expect(outcome.error?.message).toContain("1.5 s");
    expect(outcome.truncated[0]).toMatchObject({ what: "stdout", totalBytes: 5001 });
    expect(outcome.notices).toEqual(
      expect.arrayContaining([
        "config.yaml was changed: code_execution.timeout is now 1.5.",
        "config.yaml was changed: code_execution.max_stdout is now 100.",
      ]),
    );
    expect(session.limits.timeoutMs).toBe(1500);
    // The user's own file lies below the base's.
    await editHome("code_execution:\n  timeout: 90\n  max_tool_calls: 7\n");
    expect((await session.run("kept")).notices).toEqual([
      "config.yaml was changed: code_execution.max_tool_calls is now 7.",
    ]);
    expect(session.limits).toMatchObject({ timeoutMs: 1500, maxToolCalls: 7 });
    expect((await session.run("kept")).notices).toEqual([]);
    expect(session.problems).toEqual([]);
  });

  it("holds for the tools of a model that were made before it [X5-12]", async () => {
    const { session, edit } = await start();
    const executeCode = createExecuteCodeTool(session);
    const [execute] = createCodeModeTools(session);
    await edit("code_execution:\n  timeout: 0.3\n");
    expect(await executeCode.call({ code: "while True: pass" })).toMatchObject({ status: "timeout" });
    expect((await execute!.call({ code: "while True: pass" })).content).toContain("0.3 s");
    expect(await executeCode.call({ code: "1", timeout_seconds: 50 })).toMatchObject({
      error: expect.stringContaining("at most 0.3"),
    });
  });

  it("lets no cell overtake another [X5-12]", async () => {
    const { session, edit } = await start();
    await session.run("order = []");
    await edit("code_execution:\n  max_tool_calls: 9\n");
    const cells = [1, 2, 3].map((n) => session.run(`order.append(${n})`));
    expect((await Promise.all(cells)).map(({ cell }) => cell)).toEqual([2, 3, 4]);
    expect((await session.run("order")).value).toEqual([1, 2, 3]);
  });

  it("leaves alone what was set when the session was opened [X5-12]", async () => {
    const { session, edit } = await start({ limits: { timeoutMs: 5000 } });
    await edit("code_execution:\n  timeout: 1\n  max_tool_calls: 3\n");
    await session.run("1");
    expect(session.limits).toMatchObject({ timeoutMs: 5000, maxToolCalls: 3 });
  });

  it("is told once where it needs a new kernel, or a session that is opened anew [X5-12]", async () => {
    const { session, edit } = await start();
    await session.run("1");
    await edit("code_execution:\n  timeout: 60\n  memory: 4GB\n  mode: strict\npython:\n  engine: auto\n");
    const told = (await session.run("1")).notices;
    expect(told).toEqual([
      "config.yaml was changed: code_execution.memory is 4000000000 from the next kernel on.",
      "config.yaml was changed: code_execution.mode, python will hold when the session is opened anew.",
    ]);
    expect(session.problems).toEqual([
      expect.objectContaining({
        code: "config/restart-needed",
        message: expect.stringContaining("code_execution.mode"),
      }),
    ]);
    expect((await session.run("1")).notices).toEqual([]);
    await session.restart();
    const limited = "import resource\nresource.getrlimit(resource.RLIMIT_AS)[0] > 0";
    expect((await session.run(limited)).value).toBe(true);
  });

  it("that can't be used changes nothing, and is told with its line [X5-12]", async () => {
    const { session, edit } = await start();
    await edit("code_execution:\n  timeot: 1\n");
    const outcome = await session.run("1");
    expect(outcome.value).toBe(1);
    expect(outcome.notices[0]).toMatch(/nothing is different: .*line 2.*timeot/);
    expect(session.problems[0]).toMatchObject({ code: "config/unknown-key", hint: expect.stringContaining("timeout") });
    expect(session.limits.timeoutMs).toBe(60_000);
    await edit("code_execution:\n  timeout: 30\n");
    await session.run("1");
    expect(session.limits.timeoutMs).toBe(30_000);
  });
});

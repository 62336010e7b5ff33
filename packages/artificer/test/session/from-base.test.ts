import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();

describe("a session on a base folder", () => {
  it("makes what is missing and leaves alone what is there [P1]", async () => {
    const base = join(await temp(), "nested", "base");
    await mkdir(base, { recursive: true });
    await writeFile(join(base, "requirements.txt"), "pandas>=2.0\n");
    await using session = await Session.fromBase(base);
    expect((await readdir(base)).filter((name) => !name.startsWith("."))).toEqual([
      "artifacts",
      "config.yaml",
      "requirements.txt",
      "skills",
      "tools",
    ]);
    expect(await readFile(join(base, "requirements.txt"), "utf8")).toBe("pandas>=2.0\n");
    expect(await session.listDeps()).toEqual([{ spec: "pandas>=2.0", name: "pandas", installed: false }]);
    expect(session.problems).toEqual([]);
  });

  it("runs cells, calls tools of the host and tools from YAML files in one cell [P1] [P3]", async () => {
    const base = await temp();
    await mkdir(join(base, "tools"));
    await writeFile(
      join(base, "tools", "echo.yaml"),
      [
        "name: echo",
        "description: Print words",
        "command: printf",
        "schema:",
        "  positional:",
        "    - {name: text, type: string, required: true}",
        "recipes:",
        "  say:",
        "    description: Print a text",
        "    params: {text: {}}",
        "",
      ].join("\n"),
    );
    const math = createToolkit({
      name: "math_tools",
      description: "Arithmetic",
      tools: {
        double: defineTool({
          description: "Twice a number",
          input: z.object({ n: z.number() }),
          effect: "read",
          run: async ({ n }) => n * 2,
        }),
      },
    });
    await using session = await Session.fromBase(base, { tools: [math] });
    expect(session.problems).toEqual([]);
    const outcome = await session.run("(tools.math.double(n=21), tools.echo.say(text='hello'))");
    expect(outcome.error).toBeUndefined();
    expect([...(outcome.value as unknown[])]).toEqual([42, "hello"]);
    expect(outcome.toolCalls.map(({ tool, status }) => [tool, status])).toEqual([
      ["math_tools.double", "completed"],
      ["echo.say", "completed"],
    ]);
  });

  it("goes on without a broken tool file, and tells file, line and mend", async () => {
    const base = await temp();
    await mkdir(join(base, "tools"));
    await writeFile(join(base, "tools", "bad.yaml"), "name: bad\ncommand: [unclosed\n");
    await using session = await Session.fromBase(base);
    expect(session.problems).toMatchObject([
      { code: "tool/definition-invalid", file: join(base, "tools", "bad.yaml") },
    ]);
    expect(session.problems[0]!.message).toMatch(/bad\.yaml.*\b[23]\b/);
    expect(await session.run("1 + 1")).toMatchObject({ value: 2 });
  });

  it("refuses a bad config.yaml before anything starts [M11]", async () => {
    const base = await temp();
    await writeFile(join(base, "config.yaml"), "code_execution:\n  timeuot: 5\n");
    await expect(Session.fromBase(base)).rejects.toMatchObject({
      code: "config/unknown-key",
      hint: expect.stringContaining("timeout"),
    });
  });

  it("takes its limits from config.yaml, and options win [M11]", async () => {
    const base = await temp();
    await writeFile(join(base, "config.yaml"), "code_execution:\n  timeout: 7\n  max_tool_calls: 3\n");
    await using session = await Session.fromBase(base, { limits: { maxToolCalls: 4 } });
    expect(session.limits).toMatchObject({ timeoutMs: 7000, maxToolCalls: 4 });
  });

  it("refuses a base that can't be made, naming the folder", async () => {
    const file = join(await temp(), "file");
    await writeFile(file, "");
    await expect(Session.fromBase(join(file, "base"))).rejects.toMatchObject({
      code: "session/base-not-writable",
      hint: expect.stringContaining("--base"),
    });
  });

  it("is shared by two sessions at once: each sees what the other keeps", async () => {
    const base = await temp();
    await using one = await Session.fromBase(base);
    await using two = await Session.fromBase(base);
    await one.run('artifacts.save("shared", {"from": "one"})');
    await two.run(
      'skills.create(name="greet", description="Say hello to a person", source="def run(name: str) -> str:\\n    return \'hello \' + name\\n")',
    );
    expect((await two.run('artifacts.load("shared")')).value).toEqual({ from: "one" });
    expect((await one.run('skills.invoke("greet", name="you")')).value).toBe("hello you");
  });

  it("closes once, however often it is asked, and runs nothing afterwards", async () => {
    const session = await Session.fromBase(await temp());
    await session.run("1");
    await Promise.all([session.close(), session.close()]);
    await session.close();
    await expect(session.run("1")).rejects.toMatchObject({ code: "session/closed" });
  });
});

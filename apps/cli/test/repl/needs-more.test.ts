import { describe, expect, it } from "vitest";
import { needsMore } from "../../src/repl/needs-more.js";

describe("needsMore", () => {
  it.each([
    "def f():",
    "def f():\n  return 1",
    "for x in y:  # all of them",
    "@decorator",
    "f(1,",
    "x = [",
    '"""open',
    "'''a\nb",
    "x = 1 + \\",
    "if a:\n  f({\n",
  ])("waits for more Python after %j", (code) => expect(needsMore(code, "python")).toBe(true));

  it.each([
    "1+1",
    "def f():\n  return 1\n",
    "x = 'if a:'",
    "x = '# ['",
    "# for x in y:",
    "d = {'a': 1}",
    "x[1:2]",
    "print('unclosed",
    '"""closed"""',
    "f(\n1)",
    "lambda: 0",
    "x = {\n 'a':\n  1}",
    ")",
  ])("runs the Python %j", (code) => expect(needsMore(code, "python")).toBe(false));

  it.each(["function f() {", "f(1,", "`open\n", "/* open", "const a = ["])(
    "waits for more TypeScript after %j",
    (code) => expect(needsMore(code, "typescript")).toBe(true),
  );

  it.each(["1+1", "function f() { return 1 }", "`a`", "/* ( */ 1", "'{'", "// {", 'const a: string = "["'])(
    "runs the TypeScript %j",
    (code) => expect(needsMore(code, "typescript")).toBe(false),
  );

  it("lets two blank lines run anything, so that a wrong guess traps nobody", () => {
    expect(needsMore("const r = /[(]/;\nf(\n\n", "typescript")).toBe(false);
    expect(needsMore("f(\n\n", "python")).toBe(false);
  });
});

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ScriptedHost } from "../scripted-host.js";

let host: ScriptedHost;
beforeAll(async () => {
  host = await ScriptedHost.open({ limits: { maxValueBytes: 2000 } });
});
afterAll(() => host.close());

const value = async (code: string) => {
  const result = await host.cell(code);
  expect(result.error?.traceback).toBeUndefined();
  return result.value;
};

test("the kernel tells what it is", () => {
  expect(host.started).toMatchObject({
    language: "typescript",
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    executable: process.env.ARTIFICER_TEST_NODE ?? process.execPath,
  });
  expect(host.started.pid).toBe(host.child.pid);
});

describe("state and redeclaration", () => {
  test("any kind of binding may follow any other under the same name, and earlier closures see the new one", async () => {
    const kinds = [
      "let n = 1",
      "const n = 2",
      "var n = 3",
      "function n() {}",
      "class n {}",
      "enum n { A }",
      'import n from "node:path"',
    ];
    await host.cell("const see = () => typeof n");
    for (const first of kinds) {
      for (const second of kinds) {
        expect((await host.cell(first)).status, first).toBe("completed");
        expect((await host.cell(second)).error?.message, `${first} then ${second}`).toBeUndefined();
        expect(await value("see() === typeof n")).toBe(true);
      }
    }
  });

  test("an initialiser that fails leaves the old binding, by whatever word it was declared", async () => {
    for (const word of ["let", "const", "var"]) {
      await host.cell(`${word} kept = 41`);
      expect((await host.cell(`${word} kept = (() => { throw new Error("no") })()`)).status).toBe("failed");
      expect(await value("kept")).toBe(41);
      expect((await host.cell(`${word} kept = await Promise.reject(new Error("no"))`)).status).toBe("failed");
      expect(await value("kept")).toBe(41);
    }
  });

  test("a first initialiser that fails does not spoil the name", async () => {
    await host.cell("const spoiled = (() => { throw 1 })()");
    expect(await value("const spoiled = 1; spoiled")).toBe(1);
    await host.cell("let spoiled2 = (() => { throw 1 })()");
    expect(await value("var spoiled2 = 2; spoiled2")).toBe(2);
  });

  test("functions are there before their declaration, and var keeps its value when it is declared again", async () => {
    expect(await value("early()\nfunction early() { return 'yes' }")).toBeUndefined();
    expect(await value("const got = early()\nfunction early() { return 'yes' }\ngot")).toBe("yes");
    await host.cell("var again = 7");
    expect(await value("var again; again")).toBe(7);
    expect(await value("for (var i = 0; i < 3; i++) {} i")).toBe(3);
    expect(await value("let i = 9; i")).toBe(9);
    expect(await value("{ function inner() { return 4 } inner() } let inner = 5; inner")).toBe(5);
  });

  test("names of the global scope can be hidden, and replaced, without harm to the kernel", async () => {
    await using own = await ScriptedHost.open();
    const hidden =
      "const process = 1, JSON = 2, fetch = 3, Promise = 4, Array = 5, Error = 6, Object = 7, Map = 8, Buffer = 9;";
    expect((await own.cell(`${hidden} process + JSON + fetch`)).value).toBe(6);
    await own.cell(
      "globalThis.JSON.stringify = 1; globalThis.Symbol = 2; globalThis.setTimeout = 3; globalThis.globalThis = 4",
    );
    expect((await own.cell("({ a: [1, 2n] })")).value).toEqual({ a: [1, 2n] });
    expect((await own.cell("console.log(1); null.x")).error?.type).toBe("TypeError");
  });

  test("names that a cell bound are told", async () => {
    expect((await host.cell("const aa = 1, { bb } = { bb: 2 }; function cc() {}")).names.sort()).toEqual([
      "aa",
      "bb",
      "cc",
    ]);
    expect((await host.cell("throw 1; undeclared = 2")).names).toEqual([]);
  });

  test("variables are listed with type and text, without handles and without failed ones", async () => {
    await host.cell("let failedOne = (() => { throw 1 })(); ");
    await host.cell("const bytes1 = new Uint8Array(5), text1 = 'abc'; class Cls {} ; implicit1 = [1]");
    const list = (await host.request("variables.list", {})) as {
      name: string;
      type: string;
      repr: string;
      bytes?: number;
    }[];
    const byName = Object.fromEntries(list.map((one) => [one.name, one]));
    expect(byName.bytes1).toMatchObject({ type: "Uint8Array", bytes: 5 });
    expect(byName.text1).toEqual({ name: "text1", type: "string", repr: "'abc'", bytes: 3 });
    expect(byName.Cls).toMatchObject({ type: "class" });
    expect(byName.implicit1).toMatchObject({ type: "Array", repr: "[ 1 ]" });
    for (const name of ["failedOne", "tools", "skills", "display", "require"]) expect(byName[name]).toBeUndefined();
  });
});

describe("values", () => {
  test.each([
    ["1 + 1", 2],
    ["-0", -0],
    ["NaN", Number.NaN],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["12345678901234567890n", 12345678901234567890n],
    ["'text'", "text"],
    ["null", null],
    ["[1, [2, { a: true }]]", [1, [2, { a: true }]]],
    ["{ a: 1, b: [2] }", { a: 1, b: [2] }],
    ["new Date(86400000)", new Date(86400000)],
    ["new Set([1, 'a'])", new Set([1, "a"])],
    ["new Map([[1, 2]])", new Map([[1, 2]])],
    ["new Uint8Array([1, 2, 255])", new Uint8Array([1, 2, 255])],
    [
      "new Float64Array([1.5])",
      { $type: "array", dtype: "f8", shape: [1], bytes: new Uint8Array(new Float64Array([1.5]).buffer) },
    ],
    ["await Promise.resolve(3)", 3],
    ["return 5", 5],
    ["try { return 6 } catch { 7 } finally { 8 }", 6],
    ["for (const x of [1, 2]) { if (x === 2) return x * 10 }", 20],
    ["export default 9", 9],
  ])("%s", async (code, expected) => {
    const result = await host.cell(code);
    expect(result.hasValue).toBe(true);
    expect(result.value).toEqual(expected);
  });

  test("undefined, declarations and loops give no value", async () => {
    for (const code of [
      "undefined",
      "let q = 5",
      "5; let q = 5",
      "for (;;) { 5; break }",
      "return",
      "",
      "// nothing",
    ]) {
      expect(await host.cell(code), code).toMatchObject({ status: "completed", hasValue: false });
    }
  });

  test("what the codec can't carry has a text and says why, with the path", async () => {
    const result = await host.cell("class Box { x = 1 }; [1, { b: new Box() }]");
    expect(result).toMatchObject({ status: "completed", hasValue: true, repr: "[ 1, { b: Box { x: 1 } } ]" });
    expect(result.value).toBeUndefined();
    expect(result.valueProblem).toMatchObject({ code: "value/not-encodable", path: "$[1].b" });
    expect((await host.cell("const loop = {}; loop.self = loop; loop")).valueProblem?.code).toBe("value/cycle");
    expect((await host.cell("() => 1")).valueProblem?.code).toBe("value/not-encodable");
    expect((await host.cell("Symbol('s')")).repr).toBe("Symbol(s)");
  });

  test("a value above the limit is not carried", async () => {
    for (const code of ["'x'.repeat(3000)", "new Uint8Array(3000)", "Array(2000).fill(1)"]) {
      const result = await host.cell(code);
      expect(result.value).toBeUndefined();
      expect(result.valueProblem?.code).toBe("cell/value-too-large");
    }
  });

  test("values with traps in them don't break the kernel", async () => {
    const result = await host.cell(
      "new Proxy({}, { get() { throw new Error('trap') }, ownKeys() { throw new Error('trap') } })",
    );
    expect(result.status).toBe("completed");
    expect((await host.cell("throw { get stack() { throw 1 }, get message() { throw 2 } }")).status).toBe("failed");
    expect(
      (
        await host.cell(
          "const bad = new Error('m'); Object.defineProperty(bad, 'message', { get() { throw 3 } }); throw bad",
        )
      ).status,
    ).toBe("failed");
    expect(await value("1")).toBe(1);
  });
});

describe("errors", () => {
  test("a traceback names the cell's own lines and columns, types or not, and no frame of the kernel's", async () => {
    const result = await host.cell(
      "interface T { a: number }\nfunction f(x: T | null): number {\n  return x!.a as number;\n}\nconst y: number = f(null);",
    );
    const n = /cell (\d+):/.exec(result.error!.traceback)![1];
    expect(result.error).toMatchObject({ type: "TypeError", line: 3 });
    expect(result.error!.traceback.split("\n").slice(1)).toEqual([
      `    at f (cell ${n}:3:13)`,
      `    at cell ${n}:5:19`,
    ]);
  });

  test("columns are right where code had to be put in", async () => {
    const { error } = await host.cell("enum E { A, B } null.x");
    expect(error!.traceback).toMatch(/:1:22$/);
    expect((await host.cell("{ a: 1, b: null.x }")).error!.traceback).toMatch(/:1:17$/);
    expect((await host.cell("if (true) { return null.x }")).error!.traceback).toMatch(/:1:25$/);
  });

  test("a function of an earlier cell is named by that cell, also after an await", async () => {
    const { stdout } = await host.cell(
      "async function deep() { await null; throw new RangeError('deep') }; console.log(1)",
    );
    expect(stdout).toBe("1\n");
    const { error } = await host.cell("\nawait deep()");
    const [, inner, outer] = error!.traceback.match(/at deep \(cell (\d+):1:43\)\n {4}at (?:async )?cell (\d+):2:1/)!;
    expect(Number(outer)).toBe(Number(inner) + 1);
  });

  test("hoisted functions keep their columns wherever they stand", async () => {
    const { error } = await host.cell("function a() { b() } function b() { c() }\n  function c() { null.x }\n\na()");
    const places = error!.traceback
      .split("\n")
      .slice(1)
      .map((line) => line.replace(/cell \d+:/, ""));
    expect(places).toEqual(["    at c (2:23)", "    at b (1:37)", "    at a (1:16)", "    at 4:1"]);
  });

  test("a stack that the cell prints itself is as clean", async () => {
    const { stdout } = await host.cell("console.log(new Error('shown').stack)");
    expect(stdout).toMatch(/^Error: shown\n {4}at cell \d+:1:13\n$/);
  });

  test("syntax errors name the place, the parser's and the engine's", async () => {
    expect((await host.cell("let a = 1;\nlet = = 2")).error).toMatchObject({
      type: "SyntaxError",
      line: 2,
      code: "cell/syntax",
    });
    const twice = await host.cell("let dup = 1;\nlet dup = 2");
    expect(twice.error).toMatchObject({ type: "SyntaxError", line: 2 });
    expect(twice.error!.traceback).toMatch(/at cell \d+:2:5$/);
  });

  test("an unknown name answers with the nearest, or with those there are", async () => {
    await host.cell("const customers = []");
    expect((await host.cell("custmers")).error?.message).toBe("custmers is not defined. Did you mean customers?");
    expect((await host.cell("zzzzqqqq")).error?.message).toContain("Names there are:");
  });

  test("causes, codes and values that are no errors are shown", async () => {
    expect((await host.cell("throw new Error('outer', { cause: new TypeError('inner') })")).error?.traceback).toContain(
      "TypeError: inner",
    );
    expect(
      (await host.cell("await (await import('node:fs/promises')).readFile('/nowhere/at/all')")).error?.message,
    ).toContain("ENOENT");
    expect((await host.cell("throw { odd: 1 }")).error).toMatchObject({ type: "object", message: "{ odd: 1 }" });
    expect((await host.cell("throw undefined")).error?.message).toBe("undefined");
  });

  test("endless recursion is an error, and the kernel goes on", async () => {
    expect((await host.cell("function r() { return r() + 1 } r()")).error?.type).toBe("RangeError");
    expect(await value("2")).toBe(2);
  });

  test("process.exit ends the cell and tells the status", async () => {
    expect(await host.cell("let beforeExit = 1; process.exit(3); beforeExit = 2")).toMatchObject({
      status: "exited",
      exitCode: 3,
    });
    expect(await host.cell("try { process.exit(4) } catch {} await new Promise(() => {})")).toMatchObject({
      status: "exited",
      exitCode: 4,
    });
    expect(await value("beforeExit")).toBe(1);
  });
});

describe("modules", () => {
  test("built-ins come by static and dynamic import and by require", async () => {
    expect(
      await value(
        'import fs, { existsSync as there } from "node:fs"; import * as path from "path"; [typeof fs.readFileSync, there("/"), path.sep]',
      ),
    ).toEqual(["function", true, "/"]);
    expect(
      await value('const { sep } = await import("node:path"); const os = require("node:os"); sep + typeof os.cpus'),
    ).toBe("/function");
  });

  test("packages come from the session's folder, by their import condition, and files beside it", async () => {
    const folder = join(host.cwd, "node_modules", "only-esm");
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, "package.json"),
      '{"name":"only-esm","type":"module","exports":{"import":"./index.js"}}',
    );
    await writeFile(join(folder, "index.js"), "export const word = 'esm'; export default 1");
    await writeFile(join(host.cwd, "beside.mjs"), "export const near = 2");
    expect(
      await value('import one, { word } from "only-esm"; import { near } from "./beside.mjs"; [one, word, near]'),
    ).toEqual([1, "esm", 2]);
  });

  test("a missing module or export fails at the import's line", async () => {
    const missing = await host.cell('\nimport "not-installed-anywhere"');
    expect(missing.error).toMatchObject({ line: 2, message: expect.stringContaining("not-installed-anywhere") });
    const wrong = await host.cell('import { readFileSink } from "node:fs"; readFileSink()');
    expect(wrong.error?.message).toContain("Did you mean readFileSync");
  });

  test("a name that only types use may be missing from the module", async () => {
    expect(
      await value(
        'import { Stats, statSync } from "node:fs"; import { OnlyAType } from "node:path"; let t: OnlyAType; typeof statSync',
      ),
    ).toBe("function");
  });
});

test("standard input is empty", async () => {
  expect(await value('require("node:fs").readFileSync(0, "utf8")')).toBe("");
});

test("cells queue, and an unknown method is answered", async () => {
  const [first, second] = await Promise.all([
    host.cell("await new Promise((r) => setTimeout(r, 30)); globalThis.order = [1]; 1"),
    host.cell("order.push(2); order"),
  ]);
  expect([first.value, second.value]).toEqual([1, [1, 2]]);
  await expect(host.request("nope.nope", {})).rejects.toMatchObject({ code: "wire/unknown-method" });
  await expect(host.request("source.analyze", { source: "" })).rejects.toMatchObject({ code: "wire/unknown-method" });
});

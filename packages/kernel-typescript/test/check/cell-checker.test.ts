import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CellChecker } from "@artificer/protocol";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCellChecker } from "../../src/check/create-cell-checker.js";
import { knownTools } from "./known-tools.js";

// One user for the whole file, so that the process stays warm from test to test.
const standing = createCellChecker();
const folder = mkdtempSync(join(tmpdir(), "artificer-check-"));
afterAll(async () => {
  await standing.close();
  rmSync(folder, { recursive: true, force: true });
});

let checker: CellChecker;
let names: string[];
beforeEach(async () => {
  await standing.check("1", { tools: "", names: [], folder });
  checker = createCellChecker();
  names = [];
});
afterEach(() => checker.close());

const check = (code: string) => checker.check(code, { tools: knownTools, names, folder });
const places = async (code: string) =>
  (await check(code)).map(({ line, column, code: number }) => `${line}:${column} ${number}`);
/** A cell that completes, as the runtime tells of it. */
function ran(code: string, ...bound: string[]) {
  names.push(...bound);
  checker.ran({ code, completed: true, names: bound });
}

describe("what is wrong is told in the cell's own lines and columns, before anything runs", () => {
  test("a tool's arguments, its result and its name are held against its declaration", async () => {
    expect(await places("await tools.shop.find({ name: 'x' })\n  .then((all) => all[0].titel)")).toEqual([
      "2:25 TS2551",
    ]);
    expect(await places("const a = 1;\nawait shop.find({\n  nam: 'x',\n})")).toEqual(["3:3 TS2561"]);
    const [wrong] = await check("await tools.shop.fnd({ name: 'x' })");
    expect(wrong).toMatchObject({ line: 1, column: 18 });
    expect(wrong!.message).toMatch(/'fnd' does not exist on type 'tools\.shop'.*find/);
    expect(await places("import { find } from 'artificer:tools';\nawait find({ name: 1 })")).toEqual(["2:14 TS2322"]);
    expect(await places("import { fnid } from 'artificer:tools'; fnid")).toEqual(["1:10 TS2305"]);
  });

  test("an unknown name comes with the nearest there are", async () => {
    ran("const customers = [1]", "customers");
    const [found] = await check("custmers.length");
    expect(found).toMatchObject({ line: 1, column: 1 });
    expect(found!.message).toContain("customers");
  });

  test("columns are right in the first line, behind earlier names, in an object and in a return", async () => {
    ran("const a = 1; interface Shape { side: number }", "a");
    expect(await places("a.x")).toEqual(["1:3 TS2339"]);
    expect(await places("{ b: a.x }")).toEqual(["1:8 TS2339"]);
    expect(await places("if (a > 0) {\n  return a.x;\n}\nreturn")).toEqual(["2:12 TS2339"]);
    expect(await places("/* 🎉 */ a.x")).toEqual(["1:12 TS2339"]);
    expect(await places("const ok = 1;\r\na.x")).toEqual(["2:3 TS2339"]);
  });
});

describe("a cell that is fine passes", () => {
  test.each([
    ["await and return at the top level", "const x = await Promise.resolve(2); if (x > 1) return x * 2; return"],
    [
      "JavaScript without a type",
      "function add(a, b) { return a + b } add(1, 2); try { add(1, 2) } catch (e) { e.message }",
    ],
    [
      "every handle",
      "await skills.count({ text: 'a' }); await skills.invoke('count'); await skills.list(); await artifacts.load('x').then((v) => v.y); await deps.list(); display([1], 2); await tools.list()",
    ],
    [
      "what cells share and what they gave",
      "await share('a', 1); (await shared.a).b; (await take('a')).c; _.x; _3.y; Out[3].z; display.update('a', 1)",
    ],
    [
      "Node's globals",
      "console.table([1]); const b = Buffer.from('a').length; await fetch('x'); setTimeout(() => {}, 1); process.exitCode = b; structuredClone(1); new URL('a:b'); require('node:fs')",
    ],
    [
      "Node's modules",
      "import { readFile } from 'node:fs/promises'; (await readFile('x', 'utf8')).trim(); const { join } = await import('node:path'); join('a')",
    ],
    [
      "a package that can't be seen from here",
      "import anything, { more } from 'not-here'; anything.goes(more.than.this)",
    ],
    ["a name given without a word for it", "counter = 1; counter += 1"],
    [
      "classes of errors",
      "try { await tools.shop.find({ name: 'x' }) } catch (e) { if (e instanceof ToolError) console.log(e.code, e.hint) }",
    ],
    ["exports", "export const one = 1; export default function named() { return one }"],
    ["a var that is declared in a block", "for (var i = 0; i < 2; i++) { var last = i } last + i"],
  ])("%s", async (_, code) => {
    expect(await check(code)).toEqual([]);
  });

  test("so does one that does not parse: the kernel tells of that", async () => {
    expect(await check("const = ;")).toEqual([]);
  });
});

describe("names of earlier cells", () => {
  test("are known with their types, checked before or not, and may be declared again as anything", async () => {
    ran(
      "const rows = await tools.shop.find({ name: 'tea' }); function first<T>(all: T[]): T { return all[0] }",
      "rows",
      "first",
    );
    expect(await places("rows[0].titel; first(rows).id.toFixed()")).toEqual(["1:9 TS2551"]);
    const again = "const rows = new Map<string, number>()";
    expect(await check(again)).toEqual([]);
    ran(again, "rows");
    expect(await places("rows.get('a')?.toFixed(); rows[0].title; rows.get(1)")).toEqual(["1:51 TS2345"]);
  });

  test("keep classes, interfaces, enums and imports with what they mean as types", async () => {
    ran(
      "class Box<T> { constructor(public held: T) {} }\ninterface Shape { side: number }\nenum Color { Red }",
      "Box",
      "Color",
    );
    ran("import { Buffer as Bytes } from 'node:buffer'", "Bytes");
    expect(
      await places(
        "const box: Box<number> = new Box(3); const s: Shape = { side: box.held }; Color.Red; let b: Bytes = Bytes.alloc(1)",
      ),
    ).toEqual([]);
    expect(await places("new Box<string>(3);\nconst s: Shape = { size: 1 }")).toEqual(["1:17 TS2345", "2:20 TS2353"]);
  });

  test("may be assigned, by what they are declared as", async () => {
    ran("let total: number = 1; let later: string | undefined", "total", "later");
    expect(await places("total += 2; later = 'x'; total = 'x'")).toEqual(["1:26 TS2322"]);
  });

  test("are of any type where nothing is sure: a failed cell, an assignment nobody checked, one only the kernel knows", async () => {
    names.push("half", "known", "fresh");
    checker.ran({ code: "const half: number = 1; throw 1", completed: false, names: ["half"] });
    ran("let known: number = 1", "known");
    ran("known = 'text'", "known");
    expect(await check("half.anything; known.toUpperCase(); fresh.goes")).toEqual([]);
  });

  test("are gone with the kernel that had them, types stay", async () => {
    ran("const rows = [1]; type Id = number", "rows");
    names = [];
    expect(await places("const id: Id = 1; rows")).toEqual(["1:19 TS2304"]);
  });

  test("stay within bounds: a session of many cells keeps the latest", async () => {
    for (let cell = 0; cell < 25; cell++) ran(`const value${cell} = ${cell}`, `value${cell}`);
    expect(await places("value24.x; value0.x")).toEqual(["1:9 TS2339"]);
  });
});

test("a cell can't have the host read files for it: only declarations of packages", async () => {
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(folder, "secret.ts"), "export const secret = 'swordfish' as const;");
  const problems = await check(
    `import { secret } from '${join(folder, "secret")}'; import { secret as other } from './secret.ts'; const a: 1 = secret; const b: 1 = other`,
  );
  expect(JSON.stringify(problems)).not.toContain("swordfish");
});

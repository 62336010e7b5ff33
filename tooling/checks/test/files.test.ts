import { expect, it } from "vitest";
import { fileProblems } from "../src/file-problems.js";
import { readSource } from "../src/read-source.js";
import { sourceFiles } from "../src/source-files.js";

const isCode = (path: string) => /\.(ts|mts|mjs|js|py)$/.test(path);
// These two hold what the rules forbid: as patterns, and as examples.
const exempt = ["tooling/checks/src/file-problems.ts", "tooling/checks/test/files.test.ts"];
const files = sourceFiles(".", (path) => isCode(path) && !exempt.includes(path));

it("holds the house rules in every source file", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((path) => fileProblems(path, readSource(path)))).toEqual([]);
});

it.each([
  ["packages/a/src/BigThing.ts", "", "kebab-case"],
  ["packages/a/kernel/big-thing.py", "", "snake_case"],
  ["packages/a/src/utils/thing.ts", "", '"utils"'],
  ["packages/a/src/thing-helper.ts", "", '"thing-helper.ts"'],
  ["packages/a/src/thing.ts", "x\n".repeat(301), "300 is the limit"],
  ["packages/a/test/thing.test.ts", "x\n".repeat(501), "500 is the limit"],
  ["packages/a/src/thing.ts", "export default 1;\n", "default export"],
  ["packages/a/src/thing.ts", 'export * from "./other.js";\n', "list the names"],
  ["packages/a/src/thing.ts", "x;\n// TODO later\n", "thing.ts:2"],
  ["packages/a/src/thing.ts", "// biome-ignore lint/style/noRestrictedImports: no\n", "rule about imports"],
  ["packages/a/src/thing.ts", "// @ts-ignore\n", "compiler"],
  ["packages/a/test/thing.test.ts", 'it.only("a", () => {});\n', ".only"],
  ["packages/a/test/thing.test.ts", 'describe.skip("a", () => {});\n', "without a reason"],
  ["packages/a/test/thing.test.ts", 'it.skipIf(true)("a", () => {});\n', "without a reason"],
  ["packages/a/test/thing.test.ts", "await vi.waitFor(() => expect(a).toBe(1));\n", "expect.poll"],
  ["packages/a/test/thing.test.ts", "await expect.poll(() => a, { timeout: 500 }).toBe(1);\n", "preset"],
  ["packages/a/test/thing.test.ts", "expect(performance.now() - begun).toBeLessThan(9);\n", "order"],
  ["packages/a/test/thing.test.ts", "const port = 2000 + Math.random() * 10;\n", "freePort"],
])("refuses %s with %j", (path, text, names) => {
  expect(fileProblems(path, text)).toEqual([expect.stringContaining(names)]);
});

it("accepts what keeps the rules, and a default export where a tool asks for one", () => {
  expect(fileProblems("packages/a/src/open-thing.ts", "x\n".repeat(300))).toEqual([]);
  expect(fileProblems("packages/a/kernel/cell_runner.py", "x = 1\n")).toEqual([]);
  expect(fileProblems("vitest.config.ts", "export default {};\n")).toEqual([]);
  expect(fileProblems("packages/a/test/a.test.ts", 'it("a", (context) => context.skip(true, "why"));\n')).toEqual([]);
});

import { sourceAnalysis } from "@artificer/protocol";
import { expect, test } from "vitest";
import { analyzeTypescript } from "../../src/index.js";

test("[P4] an object pattern gives parameters with their types and defaults as written", () => {
  const analysis = analyzeTypescript(`import { x } from "pkg"
/**
 * Counts stars.
 */
export async function run({ owner, repo = "all", limit }: { owner: string; repo?: string; limit?: Array<number> }): Promise<number> {
  await tools.github.get({ owner }); await skills.invoke("other", {}); await skills.third({}); return skills.list();
}`);
  expect(sourceAnalysis.parse(analysis)).toEqual({
    imports: ["pkg"],
    tools: ["github.get"],
    skills: ["other", "third"],
    entry: {
      parameters: [
        { name: "owner", type: "string", required: true, kind: "keyword" },
        { name: "repo", type: "string", required: false, default: '"all"', kind: "keyword" },
        { name: "limit", type: "Array<number>", required: false, kind: "keyword" },
      ],
      returns: "Promise<number>",
      doc: "Counts stars.",
      async: true,
      line: 5,
    },
  });
});

test("one parameter of an object type written in the source gives that type's members", () => {
  const { entry } = analyzeTypescript(
    "interface Args { a: string; b?: number }\nexport const run = (args: Args) => args.a",
  );
  expect(entry?.parameters).toEqual([
    { name: "a", type: "string", required: true, kind: "keyword" },
    { name: "b", type: "number", required: false, kind: "keyword" },
  ]);
});

test("one parameter of no known shape takes any arguments", () => {
  expect(analyzeTypescript("function run(args) {}").entry?.parameters).toEqual([
    { name: "args", type: "any", required: false, kind: "keyword-rest" },
  ]);
});

test("several parameters are taken by position", () => {
  expect(analyzeTypescript("function run(a: string, b = 3, ...c: number[]) {}").entry?.parameters).toEqual([
    { name: "a", type: "string", required: true, kind: "positional" },
    { name: "b", type: "any", required: false, default: "3", kind: "positional" },
    { name: "c", type: "number[]", required: false, kind: "rest" },
  ]);
});

test("no entry and no syntax are told apart, and nothing is run", () => {
  expect(analyzeTypescript("throw new Error('ran')").entry).toBeUndefined();
  expect(analyzeTypescript("let a = 1\nfunction run(").syntaxError).toMatchObject({ line: 2, column: 14 });
  expect(analyzeTypescript("function go(a: number) {}", { entry: "go" }).entry?.parameters).toHaveLength(1);
});

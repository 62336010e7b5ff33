import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { contractTestOf, executorsOfMatrix, executorsPage, withExecutorMatrix } from "../src/executor-matrix.js";
import { readSource } from "../src/read-source.js";
import { repositoryRoot } from "../src/repository-root.js";
import { sourceFiles } from "../src/source-files.js";

it(`keeps the matrix of ${executorsPage} as executors declare it`, () => {
  const page = readSource(executorsPage);
  expect(page, "run `pnpm regenerate`").toBe(withExecutorMatrix(page));
});

it("has every executor in the matrix, each with a test that puts it through the contract suite", () => {
  const kinds = executorsOfMatrix().map(({ kind }) => kind);
  const made = sourceFiles("packages/executors/src", (path) => /\/create-[a-z]+-executor\.ts$/.test(path));
  expect(made.map((path) => /create-([a-z]+)-executor/.exec(path)?.[1]).sort()).toEqual([...kinds].sort());
  for (const kind of kinds) {
    const test = contractTestOf(kind);
    expect(existsSync(join(repositoryRoot, test)), `${test} is missing`).toBe(true);
    expect(readSource(test)).toContain("testExecutor(");
  }
});

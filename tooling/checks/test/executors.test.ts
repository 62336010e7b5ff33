import { expect, it } from "vitest";
import { executorsPage, matrixRows, withExecutorMatrix } from "../src/executor-matrix.js";
import { readSource } from "../src/read-source.js";
import { sourceFiles } from "../src/source-files.js";

it(`keeps the matrix of ${executorsPage} as executors declare it`, () => {
  const page = readSource(executorsPage);
  expect(page, "run `pnpm regenerate`").toBe(withExecutorMatrix(page));
});

it("has every executor in the matrix, each with a test that puts it through the contract suite", () => {
  const rows = matrixRows();
  const made = sourceFiles("packages/executors/src", (path) => /\/create-[a-z]+-executor\.ts$/.test(path));
  expect(made, "add it to tooling/checks/src/executor-matrix.ts").toHaveLength(rows.length);
  for (const { name, provenBy } of rows) expect(readSource(provenBy), name).toContain("testExecutor(");
});

import { errorCodes, isErrorCode } from "@artificer/protocol";
import { expect, it } from "vitest";
import { errorCodesPage, renderErrorCodesPage } from "../src/error-codes-page.js";
import { readSource } from "../src/read-source.js";
import { reservedCodes } from "../src/reserved-codes.js";
import { sourceFiles } from "../src/source-files.js";
import { workspacePackages } from "../src/workspace-packages.js";

const table = "packages/protocol/src/errors/error-codes.ts";
const productFolders = workspacePackages()
  .map(({ folder }) => folder)
  .filter((folder) => /^(packages|apps)\//.test(folder));
const files = productFolders
  .flatMap((folder) => [`${folder}/src`, `${folder}/kernel`])
  .flatMap((folder) => sourceFiles(folder, (path) => /\.(ts|py)$/.test(path) && path !== table));
const used = new Set(files.flatMap((path) => codesIn(readSource(path)).map(({ code }) => code)));

it("has a use in the source for every code that isn't reserved", () => {
  const unused = Object.keys(errorCodes).filter((code) => !used.has(code) && !reservedCodes.includes(code));
  expect(unused, "use the code, or name it in tooling/checks/src/reserved-codes.ts").toEqual([]);
});

it("reserves only codes that exist and that nothing uses", () => {
  const wrong = reservedCodes.filter((code) => !isErrorCode(code) || used.has(code));
  expect(wrong, "remove the code from tooling/checks/src/reserved-codes.ts").toEqual([]);
});

it("knows every code that the Python program names, where no compiler looks", () => {
  const areas = new Set(Object.keys(errorCodes).map((code) => code.split("/", 1)[0]));
  const unknown = files
    .filter((path) => path.endsWith(".py"))
    .flatMap((path) =>
      codesIn(readSource(path))
        .filter(({ code }) => areas.has(code.split("/", 1)[0]) && !isErrorCode(code))
        .map(({ code, line }) => `${path}:${line} uses "${code}", which ${table} doesn't have`),
    );
  expect(unknown).toEqual([]);
});

it("names every code as area/what-went-wrong, with an exit code and a status of an error", () => {
  const wrong = Object.entries(errorCodes).filter(
    ([code, { exit, http }]) =>
      !/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/.test(code) || exit < 1 || exit > 125 || http < 400 || http > 599,
  );
  expect(wrong).toEqual([]);
});

it(`keeps ${errorCodesPage} as the table says`, () => {
  expect(readSource(errorCodesPage), "run `pnpm regenerate`").toBe(renderErrorCodesPage());
});

// Between backticks stands what a comment says, which is no use of a code.
function codesIn(source: string): { code: string; line: number }[] {
  return source.split("\n").flatMap((text, index) =>
    [...text.matchAll(/["']([a-z]+(?:-[a-z]+)*\/[a-z]+(?:-[a-z]+)*)["']/g)].map((match) => ({
      code: match[1] ?? "",
      line: index + 1,
    })),
  );
}

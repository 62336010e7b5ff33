import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { cellSources } from "../src/cell-sources.js";
import type { CliIo } from "../src/context.js";
import { temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
writeFileSync(join(folder.path, "a.py"), "a = 1");
writeFileSync(join(folder.path, "b.ts"), "const b = 2;");

// Only what reading sources touches.
const io = () => ({ cwd: folder.path, stdin: Readable.from([Buffer.from("from stdin")]) }) as unknown as CliIo;
const cells = async (...argv: string[]) =>
  (await cellSources(io(), ["run", ...argv])).map(({ name, code }) => [name, code]);

describe("cellSources", () => {
  it("keeps the order in which files, standard input and code were given", async () => {
    expect(await cells("-c", "1", "a.py", "--code", "2", "-", "--code=3", "b.ts")).toEqual([
      ["-c", "1"],
      ["a.py", "a = 1"],
      ["-c", "2"],
      ["-", "from stdin"],
      ["-c", "3"],
      ["b.ts", "const b = 2;"],
    ]);
  });

  it("takes no flag's value for a file", async () => {
    expect(
      await cells("--base", "a.py", "-t", "3", "--language", "python", "--display-dir", "b.ts", "-c", "1"),
    ).toEqual([["-c", "1"]]);
  });

  it("takes code of several lines, code that begins with a dash, and -c=code", async () => {
    expect(await cells("--code=a\nb", "-c=-x", "-c", "a=1\nb=2")).toEqual([
      ["-c", "a\nb"],
      ["-c", "-x"],
      ["-c", "a=1\nb=2"],
    ]);
  });

  it("guesses the language from the file's name unless it is told", async () => {
    const languages = async (language?: "python" | "typescript") =>
      (await cellSources(io(), ["run", "a.py", "b.ts", "-c", "1"], language)).map((source) => source.language);
    expect(await languages()).toEqual(["python", "typescript", "python"]);
    expect(await languages("typescript")).toEqual(["typescript", "typescript", "typescript"]);
  });
});

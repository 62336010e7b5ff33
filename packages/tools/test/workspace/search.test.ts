import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it } from "vitest";
import { useWorkspace } from "./workspace-folder.js";

const open = useWorkspace();
const files = {
  "config/app.yaml": "name: app\ndatabase:\n  host: db\n",
  "config/web.yaml": "port: 80\r\nDATABASE_URL: x\r\n",
  "src/main.py": "import database\n\n\ndef run():\n    return database.open()\n",
  "src/note.txt": "a+b database\n",
  "built/out.yaml": "database: built\n",
  ".secret.yaml": "database: hidden\n",
  ".gitignore": "built/\n*.log\n",
  "src/.gitignore": "!keep.log\n",
  "src/keep.log": "database kept\n",
  "src/drop.log": "x\n",
  "x.log": "database dropped\n",
  "data.bin": Uint8Array.of(100, 97, 116, 97, 98, 97, 115, 101, 0, 10),
};

describe.each([
  ["ripgrep", rgPath],
  ["its own reading", false as const],
])("search_files with %s", (_name, ripgrep) => {
  const workspace = () => open(files, { ripgrep });

  it("gives path, line and content, past what is hidden, binary or left out by .gitignore [M4]", async () => {
    const { call } = await workspace();
    expect(await call("search_files", { pattern: "database" })).toEqual({
      matches: [
        { path: "config/app.yaml", line: 2, content: "database:" },
        { path: "src/keep.log", line: 1, content: "database kept" },
        { path: "src/main.py", line: 1, content: "import database" },
        { path: "src/main.py", line: 5, content: "    return database.open()" },
        { path: "src/note.txt", line: 1, content: "a+b database" },
      ],
      total: 5,
      truncated: false,
    });
  });

  it("narrows by glob and folder, ignores case, and takes text literally", async () => {
    const { call } = await workspace();
    const paths = async (args: object) =>
      ((await call("search_files", { pattern: "database", ...args })) as { matches: { path: string }[] }).matches.map(
        ({ path }) => path,
      );
    expect(await paths({ file_glob: "*.yaml" })).toEqual(["config/app.yaml"]);
    expect(await paths({ file_glob: "src/**/*.{py,txt}" })).toEqual(["src/main.py", "src/main.py", "src/note.txt"]);
    expect(await paths({ file_glob: "*.yaml", ignore_case: true })).toEqual(["config/app.yaml", "config/web.yaml"]);
    expect(await paths({ path: "src/note.txt" })).toEqual(["src/note.txt"]);
    expect(await paths({ path: "src", file_glob: "*.py" })).toEqual(["src/main.py", "src/main.py"]);
    expect(await paths({ path: "src/" })).toEqual(["src/keep.log", "src/main.py", "src/main.py", "src/note.txt"]);
    expect(await paths({ path: "built" })).toEqual(["built/out.yaml"]);
    expect(await paths({ hidden: true, file_glob: ".secret.yaml" })).toEqual([".secret.yaml"]);
    expect(await paths({ pattern: "a+b", literal: true })).toEqual(["src/note.txt"]);
    expect(await paths({ pattern: "(?i)^DATABASE_URL: x$" })).toEqual(["config/web.yaml"]);
    expect(await paths({ pattern: "nothing like it" })).toEqual([]);
  });

  it("gives pages, counts, names alone, and the lines around", async () => {
    const { call } = await workspace();
    expect(await call("search_files", { pattern: "database", limit: 2, offset: 1 })).toMatchObject({
      matches: [{ path: "src/keep.log" }, { path: "src/main.py" }],
      total: 5,
      truncated: true,
    });
    expect(await call("search_files", { pattern: "database", path: "src", output_mode: "count" })).toMatchObject({
      matches: [
        { path: "src/keep.log", count: 1 },
        { path: "src/main.py", count: 2 },
        { path: "src/note.txt", count: 1 },
      ],
    });
    expect(await call("search_files", { pattern: "return", output_mode: "files_only" })).toMatchObject({
      matches: [{ path: "src/main.py" }],
    });
    expect(await call("search_files", { pattern: "database|return", path: "src/main.py", context: 2 })).toMatchObject({
      matches: [
        { line: 1, before: [], after: ["", ""] },
        { line: 5, before: ["", "def run():"], after: [] },
      ],
    });
  });

  it("orders by folder, by path or by the time of the last change [X3-5]", async () => {
    const { call, root } = await open({ "a/one.txt": "x\n", "a.txt": "x\nx\n", "b.txt": "x\n" }, { ripgrep });
    const seconds: Record<string, number> = { "a/one.txt": 1000, "a.txt": 3000, "b.txt": 2000 };
    for (const [path, at] of Object.entries(seconds)) await utimes(join(root, path), at, at);
    for (const target of ["content", "files"]) {
      const paths = async (order?: string) => {
        const pattern = target === "content" ? "x" : "*.txt";
        const found = await call("search_files", { pattern, target, output_mode: "files_only", order });
        return [...new Set((found as { matches: { path: string }[] }).matches.map(({ path }) => path))];
      };
      expect(await paths()).toEqual(["a/one.txt", "a.txt", "b.txt"]);
      expect(await paths("discovery")).toEqual(["a/one.txt", "a.txt", "b.txt"]);
      expect(await paths("path")).toEqual(["a.txt", "a/one.txt", "b.txt"]);
      expect(await paths("modified")).toEqual(["a.txt", "b.txt", "a/one.txt"]);
    }
    await expect(call("search_files", { pattern: "x", order: "newest" })).rejects.toMatchObject({
      code: "tool/invalid-argument",
      message: expect.stringContaining("order"),
    });
  });

  it("refuses what is no regular expression, and a folder that is not there", async () => {
    const { call } = await workspace();
    await expect(call("search_files", { pattern: "a(" })).rejects.toMatchObject({
      code: "tool/invalid-argument",
      hint: expect.stringContaining("literal"),
    });
    await expect(call("search_files", { pattern: "a", path: "nowhere" })).rejects.toMatchObject({
      code: "tool/file-missing",
    });
  });
});

describe("search_files", () => {
  it("finds files by glob or by a part of the name [M4]", async () => {
    const { call } = await open(files);
    expect(await call("search_files", { pattern: "*.yaml", target: "files" })).toMatchObject({
      matches: [{ path: "config/app.yaml" }, { path: "config/web.yaml" }],
    });
    expect(await call("search_files", { pattern: "NOTE", target: "files" })).toMatchObject({
      matches: [{ path: "src/note.txt" }],
    });
  });

  it("ends a pattern that would think without end, and the host goes on", async () => {
    const { call } = await open({ "a.txt": `${"a".repeat(60)}!\n` }, { ripgrep: false });
    await expect(call("search_files", { pattern: "^(a+)+$" })).rejects.toMatchObject({ code: "tool/timed-out" });
    expect(await call("search_files", { pattern: "^a+!" })).toMatchObject({ total: 1 });
  });
});

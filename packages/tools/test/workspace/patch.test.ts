import { chmod, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { describe, expect, it } from "vitest";
import { useWorkspace } from "./workspace-folder.js";

const open = useWorkspace();
const text = (root: string, path: string) => readFile(join(root, path), "utf8");

describe("patch with old_string and new_string", () => {
  it("replaces the one place, or all of them when asked [M4]", async () => {
    const { call, root } = await open({ "a.py": "old(1)\nold(2)\nkeep\n" });
    expect(await call("patch", { path: "a.py", old_string: "old(1)", new_string: "$& new" })).toEqual({
      success: true,
      files: [{ path: "a.py", action: "updated" }],
      replacements: 1,
      fuzzy: false,
    });
    await call("patch", { path: "a.py", old_string: "new", new_string: "old" });
    expect(
      await call("patch", { path: "a.py", old_string: "old", new_string: "fresh", replace_all: true }),
    ).toMatchObject({
      replacements: 2,
    });
    expect(await text(root, "a.py")).toBe("$& fresh\nfresh(2)\nkeep\n");
  });

  it("tells in which lines a passage stands several times, and changes nothing", async () => {
    const { call, root } = await open({ "a.py": "x\ny\nx\n" });
    expect(await call("patch", { path: "a.py", old_string: "x", new_string: "z" })).toMatchObject({
      success: false,
      error: expect.stringContaining("2 places"),
      lines: [1, 3],
    });
    expect(await text(root, "a.py")).toBe("x\ny\nx\n");
  });

  it("says what comes nearest when the passage is not there [M4]", async () => {
    const { call } = await open({ "a.py": "import os\n\ndef total(items):\n    return sum(items)\n" });
    const missing = "def total(item):\n    return sum(item)\n";
    expect(await call("patch", { path: "a.py", old_string: missing, new_string: "" })).toMatchObject({
      success: false,
      error: "old_string does not stand in a.py",
      nearest: { line: 3, text: "def total(items):\n    return sum(items)", similarity: expect.any(Number) },
      hint: expect.stringContaining("Line 3"),
    });
    expect(await call("patch", { path: "a.py", old_string: "zzqq", new_string: "" })).not.toHaveProperty("nearest");
  });

  it("finds a passage whose white space differs, and indents the new one as the file does", async () => {
    const { call, root } = await open({ "a.py": "class A:\n    def f(self):  \n        return  1\n\n    x = 2\n" });
    expect(
      await call("patch", {
        path: "a.py",
        old_string: "def f(self):\n    return 1",
        new_string: "def f(self):\n    if self:\n        return 2\n    return 3",
      }),
    ).toMatchObject({ success: true, fuzzy: true });
    expect(await text(root, "a.py")).toBe(
      "class A:\n    def f(self):\n        if self:\n            return 2\n        return 3\n\n    x = 2\n",
    );
  });

  it("keeps line ends and the byte-order mark as they are", async () => {
    const { call, root } = await open({ "a.txt": "\uFEFFone\r\ntwo\r\nthree\r\n" });
    await call("patch", { path: "a.txt", old_string: "one\ntwo", new_string: "1\n2" });
    expect(await text(root, "a.txt")).toBe("\uFEFF1\r\n2\r\nthree\r\n");
  });

  it("changes no file that is not text, and misses no file silently", async () => {
    const { call } = await open({ "a.bin": Uint8Array.of(0, 1), "l.txt": Uint8Array.of(0x63, 0xe9) });
    for (const path of ["a.bin", "l.txt"])
      await expect(call("patch", { path, old_string: "c", new_string: "d" })).rejects.toThrow("no text in UTF-8");
    await expect(call("patch", { path: "b", old_string: "c", new_string: "d" })).rejects.toMatchObject({
      code: "tool/file-missing",
    });
    await expect(call("patch", { path: "a.bin" })).rejects.toMatchObject({ code: "tool/missing-argument" });
  });

  it("loses no change when many come at once", async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line-${at}-`);
    const { call, root } = await open({ "a.txt": lines.join("\n") });
    await Promise.all(
      lines.map((line) => call("patch", { path: "a.txt", old_string: line, new_string: `${line}done` })),
    );
    expect(await text(root, "a.txt")).toBe(lines.map((line) => `${line}done`).join("\n"));
  });
});

describe("patch with a unified diff", () => {
  it("updates, creates, deletes and moves files in one go [M4]", async () => {
    const { call, root } = await open({ "src/a.txt": "1\n2\n3\n", "gone.txt": "bye\n", "from.txt": "x\ny\n" });
    const patch = [
      "diff --git a/src/a.txt b/src/a.txt",
      createTwoFilesPatch("a/src/a.txt", "b/src/a.txt", "1\n2\n3\n", "1\ntwo\n3\n"),
      createTwoFilesPatch("/dev/null", "b/new/b.txt", "", "fresh\n"),
      createTwoFilesPatch("a/gone.txt", "/dev/null", "bye\n", ""),
      createTwoFilesPatch("a/from.txt", "b/to.txt", "x\ny\n", "x\nz\n"),
    ].join("\n");
    expect(await call("patch", { patch })).toMatchObject({
      success: true,
      files: [
        { path: "src/a.txt", action: "updated" },
        { path: "new/b.txt", action: "created" },
        { path: "gone.txt", action: "deleted" },
        { path: "to.txt", action: "created" },
        { path: "from.txt", action: "moved away" },
      ],
      fuzzy: false,
    });
    expect(await text(root, "src/a.txt")).toBe("1\ntwo\n3\n");
    expect(await text(root, "new/b.txt")).toBe("fresh\n");
    expect(await text(root, "to.txt")).toBe("x\nz\n");
    expect((await readdir(root)).sort()).toEqual(["new", "src", "to.txt"]);
  });

  it("takes a diff whose line numbers and counts are wrong, and says so", async () => {
    const { call, root } = await open({ "a.txt": "a\nb\nc\nd\n" });
    const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -40,9 +40,2 @@\n b\n-c\n+C\n d\n";
    expect(await call("patch", { patch })).toMatchObject({ success: true, fuzzy: true });
    expect(await text(root, "a.txt")).toBe("a\nb\nC\nd\n");
  });

  it("changes nothing at all when one hunk does not fit, and says which [M4]", async () => {
    const { call, root } = await open({ "a.txt": "a\nb\n", "b.txt": "hello world\n" });
    const patch = [
      createTwoFilesPatch("a/a.txt", "b/a.txt", "a\nb\n", "a\nB\n"),
      createTwoFilesPatch("a/b.txt", "b/b.txt", "hello word\n", "bye\n"),
    ].join("");
    expect(await call("patch", { patch })).toMatchObject({
      success: false,
      path: "b.txt",
      error: expect.stringContaining("hunk 1"),
      nearest: { line: 1, text: "hello world" },
    });
    expect(await text(root, "a.txt")).toBe("a\nb\n");
  });

  it("reads no diff into prose", async () => {
    const { call } = await open();
    expect(await call("patch", { patch: "please change it" })).toMatchObject({
      success: false,
      hint: expect.stringContaining("*** Begin Patch"),
    });
  });
});

describe("patch with a V4A diff", () => {
  it("updates by what stands around, adds, deletes and moves [M4]", async () => {
    const { call, root } = await open({
      "a.py": "class A:\n    def f(self):\n        pass\n\nclass B:\n    def f(self):\n        pass\n",
      "old.py": "one\ntwo\n",
      "gone.py": "",
    });
    const patch = [
      "*** Begin Patch",
      "*** Update File: a.py",
      "@@ class B:",
      "     def f(self):",
      "-        pass",
      "+        return 2",
      "*** Add File: deep/new.py",
      "+print(1)",
      "+",
      "+print(2)",
      "*** Delete File: gone.py",
      "*** Update File: old.py",
      "*** Move to: moved.py",
      "@@",
      " one",
      "-two",
      "+2",
      "+3",
      "*** End of File",
      "*** End Patch",
    ].join("\n");
    expect(await call("patch", { mode: "patch", patch })).toMatchObject({ success: true, fuzzy: false });
    expect(await text(root, "a.py")).toBe(
      "class A:\n    def f(self):\n        pass\n\nclass B:\n    def f(self):\n        return 2\n",
    );
    expect(await text(root, "deep/new.py")).toBe("print(1)\n\nprint(2)\n");
    expect(await text(root, "moved.py")).toBe("one\n2\n3\n");
    expect((await readdir(root)).sort()).toEqual(["a.py", "deep", "moved.py"]);
  });

  it("names the line that can't be read, and the file that is there already", async () => {
    const { call } = await open({ "a.txt": "x\n" });
    expect(
      await call("patch", { patch: "*** Begin Patch\n*** Update File: a.txt\n@@\noops\n*** End Patch" }),
    ).toMatchObject({
      success: false,
      error: expect.stringContaining("line 4"),
    });
    expect(await call("patch", { patch: "*** Begin Patch\n*** Add File: a.txt\n+y\n*** End Patch" })).toMatchObject({
      success: false,
      error: "a.txt exists already",
    });
  });

  it("does not leave the workspace, and undoes what it has done when a later file can't be written", async () => {
    const { call, root, beside } = await open({ "a.txt": "x\n", "d/b.txt": "y\n" });
    await symlink(beside, join(root, "out"));
    const add = (path: string) =>
      `*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+changed\n*** Add File: ${path}\n+y\n*** End Patch`;
    for (const path of ["../root-beside/e.txt", "out/e.txt"])
      await expect(call("patch", { patch: add(path) })).rejects.toMatchObject({ code: "tool/denied" });
    // A file stands where a folder would be needed: known only once it is tried.
    await expect(call("patch", { patch: add("d/b.txt/c.txt") })).rejects.toMatchObject({ code: "tool/failed" });
    await chmod(join(root, "d"), 0o755);
    expect(await text(root, "a.txt")).toBe("x\n");
    expect(await readdir(beside)).toEqual([]);
  });
});

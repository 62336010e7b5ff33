import { chmod, link, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useWorkspace } from "./workspace-folder.js";

const open = useWorkspace();

describe("read_file", () => {
  it("gives the raw text with its size, lines and whether there is more [M4]", async () => {
    const { call } = await open({ "src/a.txt": "one\ntwo\r\nthree" });
    expect(await call("read_file", { path: "src/a.txt" })).toEqual({
      path: "src/a.txt",
      content: "one\ntwo\r\nthree",
      total_lines: 3,
      offset: 1,
      lines: 3,
      truncated: false,
      bytes: 14,
    });
  });

  it("reads from a line on, as many as asked for, and past the end nothing", async () => {
    const { call } = await open({ "a.txt": "1\n2\n3\n4\n" });
    expect(await call("read_file", { path: "a.txt", offset: 2, limit: 2 })).toMatchObject({
      content: "2\n3\n",
      total_lines: 4,
      lines: 2,
      truncated: true,
    });
    expect(await call("read_file", { path: "a.txt", offset: 4 })).toMatchObject({ content: "4\n", truncated: false });
    expect(await call("read_file", { path: "a.txt", offset: 9 })).toMatchObject({ content: "", lines: 0 });
    expect(await call("read_file", { path: "a.txt", limit: 4 })).toMatchObject({ lines: 4, truncated: false });
  });

  it("keeps the same keys for an empty file", async () => {
    const { call } = await open({ "a.txt": "" });
    expect(await call("read_file", { path: "a.txt" })).toMatchObject({ content: "", total_lines: 0, truncated: false });
  });

  it("cuts what is too much at a line's end, so that reading can go on there", async () => {
    const { call } = await open({ "a.txt": "aaaa\nbbbb\ncccc\n" }, { limits: { maxReadChars: 12 } });
    expect(await call("read_file", { path: "a.txt" })).toMatchObject({
      content: "aaaa\nbbbb\n",
      lines: 2,
      truncated: true,
    });
  });

  it("tells a binary file from text, and gives its bytes when they are asked for", async () => {
    const bytes = Uint8Array.of(137, 80, 0, 255);
    const { call } = await open({ "a.png": bytes });
    await expect(call("read_file", { path: "a.png" })).rejects.toMatchObject({
      code: "tool/failed",
      hint: expect.stringContaining('encoding="bytes"'),
    });
    expect(await call("read_file", { path: "a.png", encoding: "bytes" })).toMatchObject({ content: bytes, bytes: 4 });
  });

  it("survives text that is no UTF-8, and leaves a byte-order mark out", async () => {
    const { call } = await open({ "l.txt": Uint8Array.of(0x63, 0xe9), "b.txt": "\uFEFFx" });
    expect(await call("read_file", { path: "l.txt" })).toMatchObject({ content: "c\uFFFD" });
    expect(await call("read_file", { path: "b.txt" })).toMatchObject({ content: "x" });
  });

  it("names what is missing, what is a folder, what is too large, and waits for no pipe", async () => {
    const { call, root } = await open({ "d/a.txt": "12345" }, { limits: { maxFileBytes: 4 } });
    await expect(call("read_file", { path: "d/b.txt" })).rejects.toMatchObject({ code: "tool/file-missing" });
    await expect(call("read_file", { path: "d" })).rejects.toThrow("d is a folder");
    await expect(call("read_file", { path: "d/a.txt" })).rejects.toMatchObject({ code: "tool/result-too-large" });
    await call("terminal", { command: "mkfifo pipe" });
    expect(await readdir(root)).toContain("pipe");
    await expect(call("read_file", { path: "pipe" })).rejects.toThrow("no regular file");
  });
});

describe("write_file", () => {
  it("makes folders, replaces the whole, and says whether the file is new [M4]", async () => {
    const { call, root } = await open();
    expect(await call("write_file", { path: "x/y/z.txt", content: "grüße" })).toEqual({
      success: true,
      path: "x/y/z.txt",
      bytes: 7,
      created: true,
    });
    expect(await call("write_file", { path: "x/y/z.txt", content: "b" })).toMatchObject({ created: false });
    expect(await readFile(join(root, "x/y/z.txt"), "utf8")).toBe("b");
    expect(await readdir(join(root, "x/y"))).toEqual(["z.txt"]);
  });

  it("writes bytes as bytes", async () => {
    const { call, root } = await open();
    await call("write_file", { path: "a.bin", content: Uint8Array.of(0, 255) });
    expect([...(await readFile(join(root, "a.bin")))]).toEqual([0, 255]);
  });

  it("keeps a file's mode, and leaves the other name of a linked file as it was", async () => {
    const { call, root } = await open({ "run.sh": "old" });
    await chmod(join(root, "run.sh"), 0o750);
    await link(join(root, "run.sh"), join(root, "other"));
    await call("write_file", { path: "run.sh", content: "new" });
    expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o750);
    expect(await readFile(join(root, "other"), "utf8")).toBe("old");
  });

  it("refuses a folder, and what is larger than allowed", async () => {
    const { call } = await open({ "d/a": "" }, { limits: { maxFileBytes: 3 } });
    await expect(call("write_file", { path: "d", content: "" })).rejects.toThrow("is a folder");
    await expect(call("write_file", { path: "b", content: "1234" })).rejects.toMatchObject({
      code: "tool/invalid-argument",
    });
  });
});

describe("the workspace's root", () => {
  const writes = (path: string) =>
    [
      ["read_file", { path }],
      ["write_file", { path, content: "x" }],
      ["patch", { path, old_string: "secret", new_string: "x" }],
      ["list_files", { path }],
      ["search_files", { path, pattern: "secret" }],
      ["terminal", { command: "true", workdir: path }],
    ] as const;

  it("is not left by .., by absolute paths, or to a folder whose name begins alike [M4]", async () => {
    const { call, beside } = await open();
    await writeFile(join(beside, "s.txt"), "secret");
    for (const path of ["..", "../root-beside/s.txt", join(beside, "s.txt"), beside, "a/../../root-beside"]) {
      for (const [tool, args] of writes(path))
        await expect(call(tool, args), `${tool} ${path}`).rejects.toMatchObject({ code: "tool/denied" });
    }
    expect(await readFile(join(beside, "s.txt"), "utf8")).toBe("secret");
  });

  it("is not left through links to files, folders or nothing, by name or by search [M4]", async () => {
    const { call, root, beside } = await open({ "in.txt": "mine" });
    await writeFile(join(beside, "s.txt"), "secret");
    await symlink(join(beside, "s.txt"), join(root, "file-link"));
    await symlink(beside, join(root, "folder-link"));
    await symlink(join(beside, "new.txt"), join(root, "dangling"));
    await symlink("loop", join(root, "loop"));
    for (const path of ["file-link", "folder-link/s.txt", "folder-link/new/deep.txt", "dangling", "loop"]) {
      for (const [tool, args] of writes(path))
        await expect(call(tool, args), `${tool} ${path}`).rejects.toMatchObject({ code: "tool/denied" });
    }
    expect(await readdir(beside)).toEqual(["s.txt"]);
    for (const ripgrep of [undefined, false] as const) {
      const other = await open({}, ripgrep === undefined ? {} : { ripgrep });
      await symlink(beside, join(other.root, "folder-link"));
      await symlink(join(beside, "s.txt"), join(other.root, "file-link"));
      expect(await other.call("search_files", { pattern: "secret" })).toMatchObject({ matches: [], total: 0 });
    }
    expect(await call("list_files", { recursive: true })).toMatchObject({
      files: [
        { path: "dangling", type: "link" },
        { path: "file-link", type: "link" },
        { path: "folder-link", type: "link" },
        { path: "in.txt", type: "file" },
        { path: "loop", type: "link" },
      ],
    });
  });

  it("may be a link itself, and links within it are followed", async () => {
    const { call, root, beside } = await open({ "d/a.txt": "mine" });
    await symlink("d/a.txt", join(root, "inner"));
    await call("write_file", { path: "inner", content: "changed" });
    expect(await readFile(join(root, "d/a.txt"), "utf8")).toBe("changed");
    await symlink(root, join(beside, "alias"));
    const other = await open({}, { root: join(beside, "alias") });
    expect(await other.call("read_file", { path: join(beside, "alias", "d", "a.txt") })).toMatchObject({
      path: "d/a.txt",
    });
    expect(await other.call("read_file", { path: join(root, "d/a.txt") })).toMatchObject({ content: "changed" });
  });

  it("holds no writing tools when it is read-only", async () => {
    const { call } = await open({ "a.txt": "x" }, { readOnly: true });
    expect(await call("read_file", { path: "a.txt" })).toMatchObject({ content: "x" });
    for (const tool of ["write_file", "patch", "terminal"])
      await expect(call(tool)).rejects.toMatchObject({ code: "tool/unknown-tool" });
  });
});

describe("list_files", () => {
  it("lists one folder, or all below it that .gitignore does not leave out", async () => {
    const { call } = await open({
      "a.py": "1",
      "src/b.py": "22",
      "src/c.txt": "",
      "build/d.py": "",
      ".hidden": "",
      ".gitignore": "build/\n",
    });
    expect(await call("list_files")).toMatchObject({
      files: [
        { path: "a.py", type: "file", bytes: 1, modified: expect.stringMatching(/^\d{4}-.*Z$/) },
        { path: "build", type: "folder" },
        { path: "src", type: "folder" },
      ],
      total: 3,
      truncated: false,
    });
    expect(await call("list_files", { recursive: true, file_glob: "*.py" })).toMatchObject({
      files: [{ path: "a.py" }, { path: "src/b.py" }],
    });
    expect(await call("list_files", { path: "build", recursive: true })).toMatchObject({ total: 1 });
    expect(await call("list_files", { hidden: true, limit: 1 })).toMatchObject({ total: 5, truncated: true });
    await expect(call("list_files", { path: "nowhere" })).rejects.toMatchObject({ code: "tool/file-missing" });
  });
});

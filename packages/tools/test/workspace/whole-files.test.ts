import { mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useWorkspace } from "./workspace-folder.js";

const open = useWorkspace();

describe("writing", () => {
  it("shows readers the old file or the new one, whole, whoever writes at the same time [M4]", async () => {
    const size = 300_000;
    const { call, root } = await open({ "f.txt": "a".repeat(size) });
    let writing = true;
    const read = async () => {
      const torn: string[] = [];
      while (writing) {
        const text = await readFile(join(root, "f.txt"), "utf8");
        if (text.length !== size || text !== text[0]!.repeat(size)) torn.push(text.slice(0, 20));
      }
      return torn;
    };
    const readers = [read(), read()];
    const write = async (letter: string) => {
      for (let count = 0; count < 30; count++)
        await call("write_file", { path: "f.txt", content: letter.repeat(size) });
    };
    await Promise.all([write("b"), write("c")]);
    writing = false;
    expect((await Promise.all(readers)).flat()).toEqual([]);
    expect(await readdir(root)).toEqual(["f.txt"]);
  });

  it("is not led out of the root by a folder that becomes a link meanwhile [M4]", async (context) => {
    context.skip(process.platform !== "linux", "a folder is held by its handle on Linux alone");
    const { call, root, beside } = await open({ "dir/f.txt": "inside" });
    let swapping = true;
    const [dir, kept] = [join(root, "dir"), join(root, "kept")];
    /** A writer may make the folder anew at any point. */
    const place = async (put: () => Promise<void>) => {
      for (;;) {
        try {
          await rm(dir, { recursive: true, force: true });
          return await put();
        } catch {
          // Once more.
        }
      }
    };
    const swap = async () => {
      while (swapping) {
        await rename(dir, kept);
        await place(() => symlink(beside, dir));
        await place(() => rename(kept, dir));
      }
    };
    const swapped = swap();
    const codes = new Set<string>();
    for (let count = 0; count < 150; count++)
      await call("write_file", { path: "dir/f.txt", content: `${count}` }).catch(({ code }) => codes.add(code));
    swapping = false;
    await swapped;
    for (const code of codes) expect(code).toMatch(/^tool\//);
    expect(await readdir(beside)).toEqual([]);
  });
});

describe("diffs on files as they come", () => {
  const lines = ["one", "two", "three", "four", ""];
  const unified = "--- a/my file.txt\n+++ b/my file.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";
  const v4a = "*** Begin Patch\n*** Update File: my file.txt\n@@\n one\n-two\n+TWO\n three\n*** End Patch";

  it.each([
    ["a unified diff", unified],
    ["a V4A diff", v4a],
  ])("%s keeps the line ends of a file of Windows, and the lack of a last one [M4]", async (_kind, patch) => {
    const { call, root } = await open({ "my file.txt": lines.join("\r\n") });
    expect(await call("patch", { patch })).toMatchObject({ success: true });
    expect(await readFile(join(root, "my file.txt"), "utf8")).toBe("one\r\nTWO\r\nthree\r\nfour\r\n");
    const without = await open({ "my file.txt": "one\ntwo\nthree" });
    expect(await without.call("patch", { patch })).toMatchObject({ success: true });
    expect(await readFile(join(without.root, "my file.txt"), "utf8")).toBe("one\nTWO\nthree");
  });

  it.each([
    ["a unified diff", "--- /dev/null\n+++ b/new/deep/f.txt\n@@ -0,0 +1,2 @@\n+é\n+two\n"],
    ["a V4A diff", "*** Begin Patch\n*** Add File: new/deep/f.txt\n+é\n+two\n*** End Patch"],
  ])("%s makes a file and the folders on the way [M4]", async (_kind, patch) => {
    const { call, root } = await open();
    expect(await call("patch", { patch })).toMatchObject({
      success: true,
      files: [{ path: "new/deep/f.txt", action: "created" }],
    });
    expect(await readFile(join(root, "new/deep/f.txt"), "utf8")).toBe("é\ntwo\n");
  });

  it.each([
    ["a unified diff", "--- a/b.bin\n+++ b/b.bin\n@@ -1 +1 @@\n-x\n+y\n"],
    ["a V4A diff", "*** Begin Patch\n*** Update File: b.bin\n@@\n-x\n+y\n*** End Patch"],
  ])("%s changes no file that is not text [M4]", async (_kind, patch) => {
    const bytes = new Uint8Array([0x78, 0x0a, 0x00, 0xff]);
    const { call, root } = await open({ "b.bin": bytes });
    await mkdir(join(root, "d"));
    await expect(
      call("patch", { patch }).then((result) => {
        if ((result as { success: boolean }).success === false) throw Object.assign(new Error(), result);
        return result;
      }),
    ).rejects.toBeDefined();
    expect(new Uint8Array(await readFile(join(root, "b.bin")))).toEqual(bytes);
  });
});

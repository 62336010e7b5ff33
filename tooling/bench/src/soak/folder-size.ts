// folder-size FOLDER: for each line on its input, writes how many bytes all files in the folder have.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

const folder = process.argv[2] ?? ".";
for await (const _ of createInterface({ input: process.stdin })) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      // A file may be replaced between the listing and the look at it.
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0),
  );
  console.log(sizes.reduce((sum, size) => sum + size, 0));
}

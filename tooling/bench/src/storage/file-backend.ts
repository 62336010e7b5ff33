import { lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileStorage } from "@artificer/storage-file";
import type { BackendKind } from "./backend.js";

const atOnce = 64;

export const fileBackend: BackendKind = {
  name: "files",
  driver: "node:fs",
  quickly: "without fsync",
  isSlowToWrite: true,
  async open() {
    const folder = await mkdtemp(join(tmpdir(), "artificer-bench-"));
    const ours = join(folder, "ours");
    const storage = await openFileStorage(ours);
    const bare = join(folder, "bare");
    await mkdir(bare);
    const read = async (name: string) => JSON.parse(await readFile(join(bare, name), "utf8"));
    let drafts = 0;
    return {
      storage,
      reopen: () => openFileStorage(ours),
      openQuickly: () => openFileStorage(ours, { fsync: false }),
      bare: {
        async put(key, json) {
          const draft = join(folder, `draft-${drafts++}`);
          const file = await open(draft, "wx");
          await file.write(json);
          await file.sync();
          await file.close();
          await rename(draft, join(bare, key.replace("/", "-")));
          const above = await open(bare, "r");
          await above.sync();
          await above.close();
        },
        get: (key) => read(key.replace("/", "-")),
        list: async () => forEach((await readdir(bare)).sort(), read),
        readSkills: () => readAll(join(ours, "skills")),
        async readLibrary() {
          const skills = (await readdir(join(ours, "skills"))).sort();
          await forEach(skills, (name) => lstat(join(ours, "skills", name)));
          for (const known of ["records/skill-index.d", "blobs/skills.d"]) await readAll(join(ours, ".state", known));
          await readAll(join(ours, "search"));
        },
      },
      async close() {
        await storage.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

/** As many at once as keep the disk busy. */
async function forEach<T, Result>(items: readonly T[], run: (item: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce)
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(run))));
  return results;
}

async function readAll(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return forEach(files.sort(), (file) => readFile(file));
}

import { mkdir, mkdtemp, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileStorage } from "@artificer/storage-file";
import type { BackendKind } from "./backend.js";

export const fileBackend: BackendKind = {
  name: "files",
  driver: "node:fs",
  async open() {
    const folder = await mkdtemp(join(tmpdir(), "artificer-bench-"));
    const storage = await openFileStorage(join(folder, "ours"));
    const bare = join(folder, "bare");
    await mkdir(bare);
    const read = async (name: string) => JSON.parse(await readFile(join(bare, name), "utf8"));
    let drafts = 0;
    return {
      storage,
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
        async list() {
          const names = (await readdir(bare)).sort();
          const all: unknown[] = [];
          for (let start = 0; start < names.length; start += 64)
            all.push(...(await Promise.all(names.slice(start, start + 64).map(read))));
          return all;
        },
      },
      async close() {
        await storage.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

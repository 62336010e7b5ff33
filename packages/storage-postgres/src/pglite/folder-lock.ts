import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError } from "@artificer/protocol";

/** Says that this process has the folder open. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Takes the folder for this process: an embedded database that two processes write to is lost. The lock of a process that is
 * gone, however it went, holds nobody up.
 *
 * @throws ArtificerError `storage/locked` naming the process that has it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, "lock");
  const own = JSON.stringify({ pid: process.pid, started: await startOf(process.pid) });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, own);
  try {
    for (;;) {
      try {
        // A link, unlike a new file, has its content from the first moment.
        await link(draft, path);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const found = await readFile(path, "utf8").catch(() => undefined);
      if (found === undefined) continue;
      const holder = await livingHolder(found);
      if (holder !== undefined) throw locked(folder, holder);
      await takeAway(path, found);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return {
    async release() {
      if ((await readFile(path, "utf8").catch(() => undefined)) === own) await rm(path, { force: true });
    },
  };
}

/** Another may have taken the folder between our look and our hand: his lock is put back. */
async function takeAway(path: string, dead: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, "utf8")) !== dead) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

async function livingHolder(text: string): Promise<number | undefined> {
  let lock: { pid?: unknown; started?: unknown };
  try {
    lock = JSON.parse(text) as typeof lock;
  } catch {
    return undefined;
  }
  const { pid, started } = lock;
  if (typeof pid !== "number" || !isAlive(pid)) return undefined;
  // The number may have gone to another process since.
  return (await startOf(pid)) === started ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When a process started, as Linux counts it; empty elsewhere. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name, in parentheses, may hold spaces.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function locked(folder: string, pid: number): ArtificerError {
  return new ArtificerError("storage/locked", `The embedded database in ${folder} is open in process ${pid}.`, {
    details: { folder, pid },
    hint: "Close it there first, or use a PostgreSQL server when several processes are to share it.",
  });
}

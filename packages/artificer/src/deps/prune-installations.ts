import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

const maxUnusedMs = 30 * 24 * 3_600_000;
const lockSuffix = ".lock";

/** Notes that an installation is in use; its lock file's time is the note. */
export async function noteUse(installation: string): Promise<void> {
  const now = new Date();
  // A base that can only be read keeps no notes and removes nothing.
  await utimes(installation + lockSuffix, now, now).catch(() => {});
}

/** Removes the installations of a folder that nobody has used for thirty days: each set of specs that ever was leaves one. */
export async function pruneInstallations(folder: string, nowMs: number = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(lockSuffix)) continue;
    const lock = join(folder, name);
    const { mtimeMs } = await stat(lock);
    if (nowMs - mtimeMs < maxUnusedMs) continue;
    await rm(lock.slice(0, -lockSuffix.length), { recursive: true, force: true });
    await rm(lock, { force: true });
  }
}

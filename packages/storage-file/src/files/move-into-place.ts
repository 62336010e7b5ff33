import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "./is-absent.js";

/**
 * Makes a draft the file at `path`: readers see the old file or the new one whole. Missing folders are made.
 * With `fsync` the folder is written through as well, so that the file survives a loss of power once this resolves.
 */
export async function moveIntoPlace(draft: string, path: string, options: { fsync: boolean }): Promise<void> {
  const folder = dirname(path);
  for (let attempt = 0; ; attempt++) {
    const made = await mkdir(folder, { recursive: true });
    try {
      await rename(draft, path);
      if (!options.fsync) return;
      await syncFolder(folder);
      for (let above = folder; made !== undefined && above !== dirname(made); ) {
        above = dirname(above);
        await syncFolder(above);
      }
      return;
    } catch (error) {
      // Another process removed the emptied folder in between, or (on Windows) has the file open for a moment.
      const passing = errnoOf(error) === "ENOENT" || (process.platform === "win32" && errnoOf(error) === "EPERM");
      if (!passing || attempt === 9) throw error;
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, attempt * 5));
    }
  }
}

/** Windows and some network file systems can't, and don't need to. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  try {
    await handle?.sync();
  } catch (error) {
    if (errnoOf(error) === "ENOSPC" || errnoOf(error) === "EIO") throw error;
  } finally {
    await handle?.close();
  }
}

import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "./is-absent.js";
import { syncFolder } from "./sync-folder.js";

/**
 * Makes a draft the file at `path`: readers see the old file or the new one whole. Missing folders are made.
 * With `fsync` the folder is written through as well, so that the file survives a loss of power once this resolves.
 */
export async function moveIntoPlace(draft: string, path: string, options: { fsync: boolean }): Promise<void> {
  const writeThrough = await renameIntoPlace(draft, path);
  if (options.fsync) await writeThrough();
}

/** The same in two steps. @returns writes the folder through, which others need not wait for: what they see from now on is the new file. */
export async function renameIntoPlace(draft: string, path: string): Promise<() => Promise<void>> {
  const folder = dirname(path);
  // The topmost folder that was made.
  let made: string | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(draft, path);
      break;
    } catch (error) {
      // The folder is missing, or another process removed the emptied one in between, or (on Windows) has the file open for a moment.
      const passing = errnoOf(error) === "ENOENT" || (process.platform === "win32" && errnoOf(error) === "EPERM");
      if (!passing || attempt === 9) throw error;
      const top = await mkdir(folder, { recursive: true });
      if (top !== undefined && (made === undefined || top.length < made.length)) made = top;
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, attempt * 5));
    }
  }
  return async () => {
    await syncFolder(folder);
    for (let above = folder; made !== undefined && above !== dirname(made); ) {
      above = dirname(above);
      await syncFolder(above);
    }
  };
}

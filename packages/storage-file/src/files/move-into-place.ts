import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "./is-absent.js";
import { syncAbove } from "./sync-above.js";
import { syncFolder } from "./sync-folder.js";

/**
 * Makes a draft the file at `path`: readers see the old file or the new one whole. Missing folders are made.
 * With `fsync` the folders up from it are written through as well, whoever made them, so that the file survives a loss of power once this
 * resolves.
 *
 * @param options.folder the storage's own, which is there already.
 */
export async function moveIntoPlace(
  draft: string,
  path: string,
  options: { fsync: boolean; folder: string },
): Promise<void> {
  const writeThrough = await renameIntoPlace(draft, path, options);
  if (options.fsync) await writeThrough();
}

/** The same in two steps. @returns writes the folders through, which others need not wait for: what they see from now on is the new file. */
export async function renameIntoPlace(
  draft: string,
  path: string,
  { folder: root }: { folder: string },
): Promise<() => Promise<void>> {
  const folder = dirname(path);
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(draft, path);
      break;
    } catch (error) {
      // The folder is missing, or another process removed the emptied one in between, or (on Windows) has the file open for a moment.
      const passing = errnoOf(error) === "ENOENT" || (process.platform === "win32" && errnoOf(error) === "EPERM");
      if (!passing || attempt === 9) throw error;
      await mkdir(folder, { recursive: true });
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, attempt * 5));
    }
  }
  return async () => {
    await Promise.all([syncFolder(folder), syncAbove(folder, root)]);
  };
}

import { rmdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Removes the folders above a deleted file that it left empty, up to but not including `root`. */
export async function pruneFolders(path: string, root: string): Promise<void> {
  for (let folder = dirname(path); folder.length > root.length && folder.startsWith(root); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return; // It holds something, or another process was faster.
    }
  }
}

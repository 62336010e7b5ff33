import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { isAbsent } from "./is-absent.js";
import { syncFolder } from "./sync-folder.js";

/** Folders that are in the folder above them for good, and which folder each was: one that was removed and made again is another. */
const settled = new Map<string, string>();
const maxSettled = 10_000;
const once = "once";

/**
 * Writes through where a folder is: its entry in the folder above, that one's above it, and so on. Another process may have made any of
 * them a moment ago, and not have come to that yet; it costs a look at each, and a sync the first time. What lies above the root is
 * taken for settled after that.
 */
export async function syncAbove(folder: string, root: string): Promise<void> {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const isInside = at.length > root.length;
    if (!isInside && settled.has(at)) return;
    const mark = isInside ? await markOf(at) : once;
    // Whoever removed it since has removed what was written there as well.
    if (mark === undefined) return;
    if (settled.get(at) === mark) continue;
    await syncFolder(dirname(at));
    if (settled.size >= maxSettled) settled.clear();
    settled.set(at, mark);
  }
}

async function markOf(folder: string): Promise<string | undefined> {
  try {
    const { ino, birthtimeNs } = await lstat(folder, { bigint: true });
    return `${ino} ${birthtimeNs}`;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

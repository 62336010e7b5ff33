import { open } from "node:fs/promises";
import { errnoOf } from "./is-absent.js";

interface Syncing {
  running: Promise<void>;
  /** The one after it, for those who came too late for it. */
  next: Promise<void> | undefined;
}

const syncing = new Map<string, Syncing>();

/**
 * Writes a folder's entries through to the disk. One that runs already may have begun before the caller's change, so it does not count for
 * them; all who come while it runs share the one after it.
 */
export function syncFolder(folder: string): Promise<void> {
  const current = syncing.get(folder);
  if (current === undefined) return begin(folder);
  current.next ??= current.running.then(
    () => begin(folder),
    () => begin(folder),
  );
  return current.next;
}

function begin(folder: string): Promise<void> {
  const running = syncNow(folder);
  const current: Syncing = { running, next: undefined };
  syncing.set(folder, current);
  const end = () => {
    if (syncing.get(folder) === current) syncing.delete(folder);
  };
  running.then(end, end);
  return running;
}

/** Windows and some network file systems can't, and don't need to. */
async function syncNow(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  try {
    await handle?.sync();
  } catch (error) {
    if (errnoOf(error) === "ENOSPC" || errnoOf(error) === "EIO") throw error;
  } finally {
    await handle?.close();
  }
}

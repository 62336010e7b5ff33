import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** A session that still uses one opened it no longer ago than this, or is older than sessions get. */
const keptMs = 30 * 24 * 3_600_000;

/**
 * Says that one folder of a cache is in use now, and removes those that no session has opened for thirty days. What can't be removed does no
 * harm, and is tried again at the next opening.
 */
export async function pruneCache(cache: string, used: string): Promise<void> {
  const now = new Date();
  await utimes(join(cache, used), now, now).catch(() => {});
  for (const name of await readdir(cache).catch(() => [])) {
    const path = join(cache, name);
    const found = await stat(path).catch(() => undefined);
    if (name !== used && found !== undefined && now.getTime() - found.mtimeMs > keptMs)
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

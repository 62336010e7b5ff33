import { checkRevision, type StorageKey, type WriteOptions } from "@artificer/protocol";
import { compareAndSet } from "./compare-and-set.js";

/**
 * Deletes what is stored, only while it is the expected revision.
 *
 * @param remove the statement: of the revision it is given, or of any. @returns whether there was one.
 * @param current looks at the stored revision.
 * @returns whether there was one.
 * @throws ArtificerError `storage/conflict`
 */
export async function compareAndDelete(
  key: StorageKey,
  expected: WriteOptions["ifRevision"],
  remove: (revision: string | undefined) => Promise<boolean>,
  current: () => Promise<string | undefined>,
): Promise<boolean> {
  if (expected === undefined) return remove(undefined);
  if (expected === null) {
    checkRevision(key, null, await current());
    return false;
  }
  return compareAndSet(key, expected, async () => (await remove(expected)) || undefined, current);
}

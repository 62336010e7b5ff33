import { checkRevision, type StorageKey, type WriteOptions } from "@artificer/protocol";

/**
 * Runs a statement that changes something only while the expected revision is stored, and tells a refusal from a change in between.
 *
 * @param attempt the statement; undefined when it changed nothing.
 * @param current looks at the stored revision.
 * @throws ArtificerError `storage/conflict`
 */
export async function compareAndSet<T>(
  key: StorageKey,
  expected: WriteOptions["ifRevision"],
  attempt: () => Promise<T | undefined>,
  current: () => Promise<string | undefined>,
): Promise<T> {
  for (;;) {
    const done = await attempt();
    if (done !== undefined) return done;
    // When it holds after all, others wrote and deleted between the two looks: the statement has its chance again.
    checkRevision(key, expected, await current());
  }
}

import { ArtificerError, type Storage, storageKey } from "@artificer/protocol";

export interface SessionClaim {
  id: string;
  /** Undefined for a session that belongs to nobody. */
  owner: string | undefined;
  /** Whether to write the record down when there is none: the session can be resumed. */
  keep: boolean;
  /** False: nothing is written down, whoever asks. Default true. */
  create?: boolean;
}

/**
 * Opens the session's record, `sessions/ID`: whoever opens a session first owns it, for good. A session without an owner
 * stays without one.
 *
 * @throws ArtificerError `session/not-owner` for anybody else, also for who names no owner.
 */
export async function claimSession(
  { records }: Storage,
  { id, owner, keep, create = true }: SessionClaim,
): Promise<void> {
  const key = storageKey(`sessions/${id}`);
  for (;;) {
    const record = await records.get(key);
    if (record !== undefined) {
      if ((record.value.owner ?? null) === (owner ?? null)) return;
      throw notOwner(id, owner);
    }
    if (!create || (owner === undefined && !keep)) return;
    try {
      await records.put(key, { owner: owner ?? null, createdAt: new Date().toISOString() }, { ifRevision: null });
      return;
    } catch (thrown) {
      // Another process was first; whose it is now stands in the record.
      if (!ArtificerError.is(thrown, "storage/conflict")) throw thrown;
    }
  }
}

/** Says nothing of whose it is: that is nobody else's business. */
function notOwner(id: string, owner: string | undefined): ArtificerError {
  const who = owner === undefined ? "can't be opened without naming its owner" : `does not belong to ${owner}`;
  return new ArtificerError("session/not-owner", `The session ${id} ${who}.`, {
    details: { id },
    hint: "Open it as the owner who made it, or choose another session id.",
  });
}

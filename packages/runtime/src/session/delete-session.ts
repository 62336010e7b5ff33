import { ArtificerError, type Storage, storageKey } from "@artificer/protocol";
import { listKept } from "../artifacts/kept-outputs.js";
import { claimSession } from "./claim-session.js";
import { sessionId } from "./session-id.js";
import { openSessions } from "./session-registry.js";

export interface DeleteSessionOptions {
  /** Who the session belongs to; left out for one that belongs to nobody. */
  owner?: string;
  signal?: AbortSignal;
}

/** What was deleted. */
export interface DeletedSession {
  /** Saved variables and their index. */
  snapshots: number;
  /** Records of the journal. */
  journal: number;
  /** Outputs and results that were kept as artifacts; what was saved by name stays. */
  outputs: number;
}

/**
 * Deletes all that is kept of a session: its variables, its journal, its kept outputs, and last its record, so that a deletion that was
 * cut short can be done again. Skills and artifacts that were saved by name belong to the base and stay.
 *
 * @throws ArtificerError `session/not-owner`, `session/busy` while it is open in this process, `storage/…`
 */
export async function deleteSession(
  storage: Storage,
  id: string,
  { owner, signal }: DeleteSessionOptions = {},
): Promise<DeletedSession> {
  const session = sessionId(id);
  await claimSession(storage, { id: session, owner, keep: false, create: false });
  if (openSessions().some((open) => open.id === session && open.parts.storage === storage)) throw stillOpen(session);
  const snapshots = `snapshots/${session}/`;
  const deleted = {
    // Their index first: what it names must be there.
    snapshots: (await deleteRecords(storage, snapshots, signal)) + (await deleteBlobs(storage, snapshots, signal)),
    journal: await deleteRecords(storage, `journal/${session}/`, signal),
    outputs: 0,
  };
  for await (const { key } of listKept(storage, { session, signal }))
    if (await storage.blobs.delete(key, { signal })) deleted.outputs++;
  await storage.records.delete(storageKey(`sessions/${session}`), { signal });
  return deleted;
}

async function deleteRecords({ records }: Storage, prefix: string, signal: AbortSignal | undefined): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await records.list(prefix, { cursor, signal });
    for (const { key } of page.items) if (await records.delete(key, { signal })) count++;
    cursor = page.cursor;
    if (cursor === undefined) return count;
  }
}

async function deleteBlobs({ blobs }: Storage, prefix: string, signal: AbortSignal | undefined): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await blobs.list(prefix, { cursor, signal });
    for (const { key } of page.items) if (await blobs.delete(key, { signal })) count++;
    cursor = page.cursor;
    if (cursor === undefined) return count;
  }
}

function stillOpen(id: string): ArtificerError {
  return new ArtificerError("session/busy", `The session ${id} is open in this process.`, {
    details: { id },
    hint: "Call its delete(), which closes it first, or close it.",
  });
}

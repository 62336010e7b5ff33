import { type Storage, storageKey } from "@artificer/protocol";
import { sessionOfKept } from "../artifacts/kept-outputs.js";

export interface KeptOutputAccess {
  storage: Storage;
  /** The session, and those that work with it. */
  family: ReadonlySet<string>;
  owner: string | undefined;
}

/**
 * Who may see an artifact: kept outputs belong to their session, to those that work for it and to other sessions of its owner;
 * everything else is the base's.
 */
export function keptOutputAccess({ storage, family, owner }: KeptOutputAccess): (name: string) => Promise<boolean> {
  const owned = new Map<string, Promise<boolean>>();

  async function isOurs(session: string): Promise<boolean> {
    const record = await storage.records.get(storageKey(`sessions/${session}`));
    return record?.value.owner === owner;
  }

  return async (name) => {
    const session = sessionOfKept(name);
    if (session === undefined || family.has(session)) return true;
    if (owner === undefined) return false;
    const known = owned.get(session) ?? isOurs(session);
    owned.set(session, known);
    // A session without a record may get one.
    const ours = await known.catch(() => false);
    if (!ours) owned.delete(session);
    return ours;
  };
}

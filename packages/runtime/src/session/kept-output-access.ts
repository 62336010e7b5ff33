import { type Storage, storageKey } from "@artificer/protocol";
import { sessionOfKept } from "../artifacts/kept-outputs.js";

const rememberMs = 1_000;
const maxKnown = 10_000;

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
  const known = new Map<string, { asked: number; ours: Promise<boolean> }>();

  async function isOurs(session: string): Promise<boolean> {
    const record = await storage.records.get(storageKey(`sessions/${session}`));
    return record?.value.owner === owner;
  }

  function askAgain(session: string): Promise<boolean> {
    // One question for a whole listing, and no longer: a session may be deleted, and its id taken by somebody else.
    if (known.size > maxKnown) known.clear();
    const ours = isOurs(session);
    known.set(session, { asked: performance.now(), ours });
    return ours;
  }

  return async (name) => {
    const session = sessionOfKept(name);
    if (session === undefined || family.has(session)) return true;
    if (owner === undefined) return false;
    const latest = known.get(session);
    return latest !== undefined && performance.now() - latest.asked < rememberMs ? latest.ours : askAgain(session);
  };
}

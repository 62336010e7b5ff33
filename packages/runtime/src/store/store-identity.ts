import { createHash, randomUUID } from "node:crypto";
import { ArtificerError, type Storage, storageKey } from "@artificer/protocol";

const key = storageKey("store/identity");

/** A store at the end of a line, for two of them to know each other by. */
export interface StorePeer {
  storage: Storage;
  /** Where it is, without passwords. */
  location: string;
  /** Said by a store that can't be asked, as an archive. */
  id?: string;
}

/**
 * The lasting id of a store, made when it is missing and may be. One that can't be written to has the hash of its location.
 *
 * @param make false changes nothing.
 */
export async function storeIdentity({ storage, location, id }: StorePeer, make: boolean): Promise<string> {
  if (id !== undefined) return id;
  const found = await storage.records.get(key);
  if (typeof found?.value.id === "string") return found.value.id;
  const derived = createHash("sha256").update(location).digest("hex").slice(0, 32);
  if (!make) return derived;
  try {
    const made = randomUUID();
    await storage.records.put(key, { id: made }, { ifRevision: null });
    return made;
  } catch (thrown) {
    // Another process was first.
    if (ArtificerError.is(thrown, "storage/conflict")) return storeIdentity({ storage, location }, make);
    if (ArtificerError.is(thrown, "storage/read-only")) return derived;
    throw thrown;
  }
}

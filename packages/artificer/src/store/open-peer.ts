import { existsSync } from "node:fs";
import { ArtificerError, type Storage } from "@artificer/protocol";
import type { StorePeer } from "@artificer/runtime";
import { addressOf, type OpenStorageOptions, openStorageAt } from "../storage/open-storage.js";

/** A store of a URL, open. */
export interface OpenPeer extends StorePeer {
  storage: Storage;
  close(): Promise<void>;
}

export interface OpenPeerOptions extends OpenStorageOptions {
  /** Whether a folder or a database's tables are made when they are missing. Default true; false for a store that is only looked at. */
  create?: boolean;
}

/** Opens a store by its URL. @throws ArtificerError as `openStorage` does; `session/base-missing` for a folder that should be there. */
export async function openPeer(url: string, { create = true, ...options }: OpenPeerOptions = {}): Promise<OpenPeer> {
  const address = await addressOf(url, options);
  if (!create && "folder" in address && !existsSync(address.folder)) {
    throw new ArtificerError("session/base-missing", `There is no store at ${address.location}.`, {
      details: { location: address.location },
      hint: "Check the name; a store in files is a folder such as ./.artificer.",
    });
  }
  try {
    // To look at a database must not make its tables.
    const { storage, location } = await openStorageAt(url, { migrate: create, ...options });
    return { storage, location, close: () => storage.close() };
  } catch (thrown) {
    if (!ArtificerError.is(thrown, "storage/unavailable") || thrown.details.missing === undefined) throw thrown;
    throw new ArtificerError(thrown.code, thrown.message, {
      details: thrown.details,
      hint: `Bring it up to date: artificer store migrate '${address.location}'`,
      cause: thrown,
    });
  }
}

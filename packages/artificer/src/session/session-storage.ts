import { join } from "node:path";
import type { Storage } from "@artificer/protocol";
import type { SessionProblem } from "@artificer/runtime";
import { openFileStorage } from "@artificer/storage-file";
import type { Config } from "../config/config-schema.js";
import { readConfig, type StoredConfig } from "../config/read-config.js";
import { chosenStorage, holdsPassword } from "../storage/configured-storage.js";
import { openStorageAt } from "../storage/open-storage.js";
import { layOutStoredTools, readStoredText } from "../storage/store-settings.js";
import type { Base } from "./open-base.js";

/** What a session of a base keeps things in, and what it finds there. */
export interface SessionStorage {
  storage: Storage;
  /** The base's configuration, with that of the store below it. */
  config: Config;
  /** The store's part of it. */
  stored?: StoredConfig | undefined;
  /** Definitions of tools that the store holds. */
  storedTools: { folder: string; location: string } | undefined;
  problems: SessionProblem[];
  /** What the session closes; a storage that was given is its owner's. */
  owned: { close(): Promise<void> }[];
}

export interface SessionStorageOptions {
  /** A storage of yours, or the URL or folder of one. Default: as the configuration says, else the base folder. */
  storage?: Storage | string | undefined;
  home: string;
  hostEnv?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Opens the storage of a base's session: its folder, or the store that the options or config.yaml name. Such a store's tools and
 * configuration count as well, below what stands in the folder.
 *
 * @throws ArtificerError `storage/…`, `config/…`, `usage/invalid-argument`
 */
export async function openSessionStorage(base: Base, options: SessionStorageOptions): Promise<SessionStorage> {
  const { storage: given, home, hostEnv } = options;
  const url = typeof given === "string" ? given : undefined;
  const chosen =
    typeof given === "object"
      ? undefined
      : chosenStorage(base.config, base.folder, { url, ...(hostEnv && { hostEnv }) });
  const problems: SessionProblem[] = holdsPassword(base.config) ? [passwordInFile(base.folder)] : [];
  const none = { config: base.config, storedTools: undefined, problems };
  if (typeof given !== "object" && chosen === undefined) {
    const storage = await openFileStorage(base.folder);
    return { ...none, storage, owned: [storage] };
  }
  const { storage, location } =
    typeof given === "object"
      ? { storage: given, location: `the ${given.kind} storage` }
      : await openStorageAt(chosen!.url, chosen!.options);
  const owned = typeof given === "object" ? [] : [storage];
  if (location === `file:${base.folder}`) return { ...none, storage, owned };
  try {
    const text = await readStoredText(storage, "config.yaml");
    const stored = text === undefined ? undefined : { text, file: `config.yaml of ${location}` };
    const config = stored === undefined ? base.config : await readConfig({ base: base.folder, home }, stored);
    const cache = base.writable ? join(base.folder, ".state", "stored-tools") : undefined;
    const laidOut = await layOutStoredTools(storage, base.folder, cache);
    return {
      storage,
      config,
      stored,
      storedTools: laidOut && { folder: laidOut.folder, location },
      problems,
      owned: [...owned, ...(laidOut === undefined ? [] : [{ close: laidOut.remove }])],
    };
  } catch (thrown) {
    await Promise.all(owned.map((part) => part.close()));
    throw thrown;
  }
}

function passwordInFile(folder: string): SessionProblem {
  return {
    code: "config/password-in-file",
    message: `A password stands in the storage's URL in ${join(folder, "config.yaml")}.`,
    hint: "Put a dollar sign and {NAME} in its place, and set the variable NAME or name a secret under secrets:.",
  };
}

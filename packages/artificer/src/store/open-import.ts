import { resolve } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import type { StorePeer } from "@artificer/runtime";
import { expandReferences, type ReferenceLookup } from "../storage/expand-references.js";
import { openArchive } from "./open-archive.js";
import { openPredecessor } from "./predecessor/import-predecessor.js";
import type { ImportedItem } from "./predecessor/predecessor-source.js";
import { readPredecessorFolder } from "./predecessor/read-predecessor-folder.js";
import { readPredecessorRedis } from "./predecessor/read-predecessor-redis.js";

/** What there is to import, as a store to bring over from. */
export interface ImportSource extends StorePeer {
  /** What was mended or left out on the way; none for an export of ours. */
  items: ImportedItem[];
  close(): Promise<void>;
}

/** py-code-mode's own default. */
const defaultPrefix = "py_code_mode";

/**
 * Opens what is to be imported: the file of an export, `py-code-mode:DIR`, or `py-code-mode+redis://…?prefix=NAME`.
 *
 * @throws ArtificerError `store/archive-invalid`, `usage/invalid-argument`, `storage/…`
 */
export async function openImport(
  from: string,
  options: { cwd?: string; lookup?: ReferenceLookup } = {},
): Promise<ImportSource> {
  const { cwd = process.cwd(), lookup = (name) => process.env[name] } = options;
  const predecessor = /^py-code-mode([:+])(.*)$/is.exec(from);
  if (predecessor === null) {
    const { storage, location, id, manifest: _ } = await openArchive(resolve(cwd, from.replace(/^file:/, "")));
    return { storage, location, ...(id === undefined ? {} : { id }), items: [], close: () => storage.close() };
  }
  const [, separator, rest = ""] = predecessor;
  if (separator === ":") return openPredecessor(await readPredecessorFolder(resolve(cwd, rest)));
  const expanded = await expandReferences(rest, lookup);
  if (!/^rediss?:\/\//i.test(expanded) || !URL.canParse(expanded)) {
    throw new ArtificerError("usage/invalid-argument", "What follows py-code-mode+ is no URL of a Redis server.", {
      hint: "Write py-code-mode+redis://HOST:PORT?prefix=NAME, or py-code-mode:DIR for a folder.",
    });
  }
  const url = new URL(expanded);
  const prefix = url.searchParams.get("prefix") ?? defaultPrefix;
  url.searchParams.delete("prefix");
  return openPredecessor(await readPredecessorRedis(url.href.replace(/\?$/, ""), prefix));
}

import { createHash, type Hash, randomBytes } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type ChangeFeed, storagePrefix } from "@artificer/protocol";
import { fileMark, isSettled } from "../blobs/file-mark.js";
import type { FileBase } from "../file-base.js";
import { withFileErrors } from "../files/file-error.js";
import { isAbsent } from "../files/is-absent.js";
import { plainNaming } from "../names/plain-naming.js";
import { stateNaming } from "../names/state-naming.js";
import { type WalkRequest, walkKeys } from "../names/walk-keys.js";
import { createFolderWatches, type FolderWatch } from "./folder-watches.js";
import { startPolling } from "./start-polling.js";

const filesAtOnce = 64;

/**
 * How long the system is believed that nothing changed before the files themselves are looked at again, in milliseconds: it can lose what it
 * has to tell, when there is too much of it, and does not tell of what was written by way of memory or under another name.
 */
const believedMs = 10_000;
/** Prefixes whose last version is remembered at most. */
const maxKnown = 100;

/** A version, and what would tell that it is another by now. */
interface KnownVersion {
  version: string;
  watches: readonly FolderWatch[];
  lookedAt: number;
}

/** The feed, and how what it started is ended. */
export interface FileChanges {
  feed: ChangeFeed;
  close(): void;
}

/**
 * The version is a digest of the files' marks (inode, size, times), so that edits by hand count too; nothing is opened. The look at all files
 * is saved while the system tells that no folder changed, where it can be relied on for that: on shared and container file systems it misses
 * edits without a word. A subscription looks again and again.
 */
export function createFileChanges(base: FileBase): FileChanges {
  const polls = new Set<() => void>();
  const watches = createFolderWatches();
  const known = new Map<string, KnownVersion>();

  const addMarks = async (hash: Hash, root: string, options: Omit<WalkRequest, "after" | "onIgnored">) => {
    let settled = true;
    const mark = async (path: string) => {
      try {
        const stat = await lstat(path, { bigint: true });
        if (!isSettled(stat)) settled = false;
        const { ino, size, mtimeNs, ctimeNs } = { ...fileMark(stat), ctimeNs: stat.ctimeNs };
        return `${path}\0${ino} ${size} ${mtimeNs} ${ctimeNs}\n`;
      } catch (error) {
        if (isAbsent(error)) return "";
        throw error;
      }
    };
    let batch: Promise<string>[] = [];
    const flush = async () => {
      for (const line of await Promise.all(batch)) hash.update(line);
      batch = [];
    };
    for await (const { path } of walkKeys(root, options)) {
      if (batch.push(mark(path)) === filesAtOnce) await flush();
    }
    await flush();
    return settled;
  };

  /** @returns undefined when a file was changed a moment ago, and may be changed again without its mark telling. */
  const look = async (prefix: string, onFolder: (folder: string) => Promise<void>): Promise<string | undefined> => {
    const hash = createHash("sha1");
    const settled = await withFileErrors("read", base.folder, async () => [
      await addMarks(hash, join(base.state, "records"), { naming: stateNaming, prefix, exactNames: true, onFolder }),
      await addMarks(hash, base.folder, { naming: plainNaming, prefix, exactNames: base.caseSensitive, onFolder }),
    ]);
    return settled.includes(false) ? undefined : hash.digest("base64url");
  };

  const version = async (prefix: string): Promise<string> => {
    const last = known.get(prefix);
    if (last !== undefined && performance.now() - last.lookedAt < believedMs) {
      await watches.settle();
      if (last.watches.every(({ quiet }) => quiet)) return last.version;
    }
    known.delete(prefix);
    const lookedAt = performance.now();
    // Undefined as soon as one folder can't be watched.
    let watching: FolderWatch[] | undefined = [];
    const found = await look(prefix, async (folder) => {
      const begun = watching && (await watches.begin(folder));
      watching = begun && watching?.concat(begun);
    });
    if (found === undefined) return `unsettled ${randomBytes(9).toString("base64url")}`;
    if (watching !== undefined) known.set(prefix, { version: found, watches: watching, lookedAt });
    for (const oldest of known.keys()) if (known.size > maxKnown) known.delete(oldest);
    return found;
  };

  return {
    feed: {
      version: (prefix, { signal } = {}) =>
        base.gate.pass(signal, async () => {
          const checked = storagePrefix(prefix);
          const found = await version(checked);
          signal?.throwIfAborted();
          return found;
        }),
      subscribe: (prefix, changed) =>
        base.gate.pass(undefined, async () => {
          const checked = storagePrefix(prefix);
          const stop = startPolling(() => version(checked), changed);
          polls.add(stop);
          return {
            async stop() {
              polls.delete(stop);
              stop();
            },
          };
        }),
    },
    close() {
      for (const stop of polls) stop();
      polls.clear();
      watches.close();
    },
  };
}

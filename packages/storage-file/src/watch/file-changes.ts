import { createHash, type Hash, randomBytes } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type ChangeFeed, storagePrefix } from "@artificer/protocol";
import { fileMark, isSettled } from "../blobs/file-mark.js";
import type { FileBase } from "../file-base.js";
import { withFileErrors } from "../files/file-error.js";
import { isAbsent } from "../files/is-absent.js";
import type { Naming } from "../names/naming.js";
import { plainNaming } from "../names/plain-naming.js";
import { stateNaming } from "../names/state-naming.js";
import { walkKeys } from "../names/walk-keys.js";
import { startPolling } from "./start-polling.js";

const filesAtOnce = 64;

/** The feed, and how what it started is ended. */
export interface FileChanges {
  feed: ChangeFeed;
  close(): void;
}

/**
 * The version is a digest of the files' marks (inode, size, times), so that edits by hand count too; nothing is opened. No watching by the
 * system, which misses edits on shared and container file systems without a word: a subscription looks again and again.
 */
export function createFileChanges(base: FileBase): FileChanges {
  const polls = new Set<() => void>();

  const addMarks = async (hash: Hash, root: string, options: { naming: Naming; prefix: string }) => {
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

  const version = async (prefix: string): Promise<string> => {
    const hash = createHash("sha1");
    const settled = await withFileErrors("read", base.folder, async () => [
      await addMarks(hash, join(base.state, "records"), { naming: stateNaming, prefix }),
      await addMarks(hash, base.folder, { naming: plainNaming, prefix }),
    ]);
    // A file that was changed a moment ago may be changed again without its mark telling.
    return settled.includes(false) ? `unsettled ${randomBytes(9).toString("base64url")}` : hash.digest("base64url");
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
    },
  };
}

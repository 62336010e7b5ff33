import { constants } from "node:fs";
import { access, lstat, mkdir, realpath, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ArtificerError, createCallGate, type Storage } from "@artificer/protocol";
import { createBlobReaders } from "./blobs/blob-readers.js";
import { createFileBlobs } from "./blobs/file-blobs.js";
import type { FileBase } from "./file-base.js";
import { createDrafts } from "./files/drafts.js";
import { fileError } from "./files/file-error.js";
import { errnoOf } from "./files/is-absent.js";
import { type IgnoredFile, ignoredFiles } from "./ignored-files.js";
import { createFileLeases } from "./leases/file-leases.js";
import { createKeyLocks } from "./locks/key-locks.js";
import { createProcessMark } from "./locks/process-mark.js";
import { sweep } from "./locks/sweep.js";
import { createFileRecords } from "./records/file-records.js";
import { createFileChanges } from "./watch/file-changes.js";

export interface FileStorageOptions {
  /** Whether a write that is acknowledged survives a loss of power, not only the end of the process. Default true; false is several times faster. */
  fsync?: boolean;
  /** Longest wait for another process that is writing the same key, in milliseconds. Default 30,000. */
  lockWaitMs?: number;
  /** How long a process on another machine may stand still in mid-write before its lock is broken, in milliseconds. Default 10,000. */
  lockStaleMs?: number;
  /** Whether the file system tells `a` from `A`. Found out when absent. */
  caseSensitive?: boolean;
}

/** Storage in a folder of plain files. */
export interface FileStorage extends Storage {
  readonly kind: "file";
  /** The base folder's real path. */
  readonly folder: string;
  /** True when the folder can't be written; every write then throws `storage/read-only`. */
  readonly readOnly: boolean;
  /** Files in the base folder that no key can name, and why: nothing lists or reads them. Dot files are not among them. */
  ignored(): Promise<IgnoredFile[]>;
}

/**
 * Opens the storage in a folder, which is made when it is missing. A blob is the file its key names, with exactly its bytes, and may be
 * edited by hand; everything else lies in `.state`. Any number of processes may have the same folder open.
 * A folder that can only be read opens all the same, and refuses writes.
 *
 * @throws ArtificerError `storage/read-only`, `storage/full` or `storage/unavailable` when there is no folder and none can be made.
 */
export async function openFileStorage(baseFolder: string, options: FileStorageOptions = {}): Promise<FileStorage> {
  const { fsync = true, lockWaitMs = 30_000, lockStaleMs = 10_000 } = options;
  const prepared = await prepareFolder(resolve(baseFolder));
  const { folder, readOnly } = prepared;
  const state = join(folder, ".state");
  const folders = { drafts: join(state, "drafts"), locks: join(state, "locks"), processes: join(state, "processes") };
  const mark = createProcessMark(folders.processes);
  const locks = createKeyLocks(folders.locks, mark, { waitMs: lockWaitMs, staleMs: lockStaleMs });
  const gate = createCallGate(`The storage in ${folder}`, "openFileStorage", { waits: true });
  const base: FileBase = {
    folder,
    state,
    fsync,
    caseSensitive: options.caseSensitive ?? (await isCaseSensitive(folder)),
    readOnly,
    gate,
    locks,
    drafts: createDrafts(folders.drafts, mark, fsync),
  };
  // What can't be cleared away now (a disk that is full, say) does no harm and is tried again at the next opening.
  if (readOnly === undefined) await sweep(folders, mark).catch(() => {});
  const readers = createBlobReaders(gate);
  const changes = createFileChanges(base);
  let closing: Promise<void> | undefined;
  return {
    kind: "file",
    capabilities: { vectors: false, leases: true, watch: true, durable: true },
    folder,
    readOnly: readOnly !== undefined,
    records: createFileRecords(base),
    blobs: createFileBlobs(base, readers),
    leases: createFileLeases(base),
    watch: changes.feed,
    ignored: () => gate.pass(undefined, () => ignoredFiles(folder)),
    close() {
      closing ??= (async () => {
        changes.close();
        await gate.close();
        await readers.close();
        locks.stop();
        await mark.remove().catch(() => {});
      })();
      return closing;
    },
  };
}

async function prepareFolder(wanted: string): Promise<{ folder: string; readOnly: ArtificerError | undefined }> {
  const state = join(wanted, ".state");
  try {
    const made = await makeFolder(state);
    await access(wanted, constants.W_OK);
    await access(state, constants.W_OK);
    // Once: who wants the state in git deletes the file.
    if (made !== undefined) await writeFile(join(state, ".gitignore"), "*\n");
    return { folder: await realpath(wanted), readOnly: undefined };
  } catch (error) {
    const readOnly = fileError(error, "write", wanted);
    const folder = await stat(wanted).catch(() => undefined);
    if (!ArtificerError.is(readOnly, "storage/read-only") || !folder?.isDirectory()) throw readOnly;
    return { folder: await realpath(wanted), readOnly };
  }
}

/** On a disk that can't be written, making parents too is told as if there were none. */
async function makeFolder(path: string): Promise<string | undefined> {
  try {
    return await mkdir(path, { recursive: true });
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    await mkdir(path);
    return path;
  }
}

async function isCaseSensitive(folder: string): Promise<boolean> {
  const own = await lstat(join(folder, ".state")).catch(() => undefined);
  if (own === undefined) return process.platform !== "win32" && process.platform !== "darwin";
  const other = await lstat(join(folder, ".STATE")).catch(() => undefined);
  return other === undefined || other.ino !== own.ino;
}

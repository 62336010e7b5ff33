import { randomBytes } from "node:crypto";
import { chmod, lstat, rm } from "node:fs/promises";
import { type BlobInfo, checkRevision, type JsonObject, type WriteOptions } from "@artificer/protocol";
import type { Draft } from "../files/drafts.js";
import { errnoOf } from "../files/is-absent.js";
import { moveIntoPlace } from "../files/move-into-place.js";
import type { BlobBase } from "./blob-base.js";
import { blobInfo } from "./blob-info.js";
import type { FoundFile } from "./blob-places.js";
import { fileMark } from "./file-mark.js";
import type { BlobVersion } from "./sidecar.js";

export interface BlobCommit extends WriteOptions {
  draft: Draft;
  metadata: JsonObject;
  /** Makes sure that the key's lock is still ours. */
  check(): Promise<void>;
}

/** Makes a draft the blob, under the key's lock. The move into place is the moment at which bytes and metadata change, both. */
export async function commitBlob(base: BlobBase, key: string, commit: BlobCommit): Promise<BlobInfo> {
  const { draft, metadata, ifRevision, signal, check } = commit;
  const { versions, places } = base;
  const current = await currentVersion(base, key);
  checkRevision(key, ifRevision, current?.version.revision);
  signal?.throwIfAborted();

  const file = { ino: `${draft.ino}`, size: `${draft.size}`, mtimeNs: `${draft.mtimeNs}` };
  const version: BlobVersion = { revision: randomBytes(9).toString("base64url"), sha256: draft.sha256, metadata, file };
  const before = current === undefined ? [] : [current.version];
  let path: string;
  try {
    await versions.writeSidecar(key, { versions: [version, ...before] });
    if (current !== undefined) await keepMode(draft, current);
    await check();
    path = await move(base, key, draft, current?.path);
  } catch (error) {
    await restoreSidecar(base, key, before).catch(() => {});
    throw error;
  }

  const found: FoundFile = { path, stat: await lstat(path, { bigint: true }) };
  if (`${found.stat.ino}` === file.ino) {
    const settled = { ...version, file: fileMark(found.stat) };
    versions.remember(key, settled);
    // It holds without this; with it an edit that puts the old times back is noticed by other processes too.
    await versions.writeSidecar(key, { versions: [settled] }).catch(() => {});
  }
  return blobInfo(key, found, version);

  async function move(base: BlobBase, key: string, draft: Draft, there: string | undefined): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      const path = attempt === 0 && there !== undefined ? there : await places.place(key);
      try {
        await moveIntoPlace(draft.path, path, base);
        return path;
      } catch (error) {
        // Another key's writer took the name for a folder, or a folder's for a file, since we looked.
        const taken = ["EISDIR", "ENOTDIR", "EEXIST", "ENOTEMPTY"].includes(errnoOf(error) ?? "");
        if (!taken || attempt === 5) throw error;
      }
    }
  }
}

/** The blob as it is, looked at under the key's lock. */
export async function currentVersion(
  base: BlobBase,
  key: string,
): Promise<(FoundFile & { version: BlobVersion }) | undefined> {
  for (;;) {
    const found = await base.places.find(key);
    if (found === undefined) return undefined;
    // Only a hand at the file itself can spoil this look.
    const version = await base.versions.identify(key, found, true);
    if (version !== undefined) return { ...found, version };
  }
}

/** People may have made a script executable, or a file private. */
async function keepMode(draft: Draft, { stat }: FoundFile): Promise<void> {
  const mode = Number(stat.mode & 0o777n);
  if (((await lstat(draft.path)).mode & 0o777) !== mode) await chmod(draft.path, mode);
}

async function restoreSidecar(base: BlobBase, key: string, before: BlobVersion[]): Promise<void> {
  if (before.length > 0) await base.versions.writeSidecar(key, { versions: before });
  else await rm(base.versions.sidecarPath(key), { force: true });
}

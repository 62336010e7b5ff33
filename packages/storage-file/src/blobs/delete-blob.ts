import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkRevision, type WriteOptions } from "@artificer/protocol";
import { isAbsent } from "../files/is-absent.js";
import { pruneFolders } from "../files/prune-folders.js";
import { syncFolder } from "../files/sync-folder.js";
import type { BlobBase } from "./blob-base.js";
import { currentVersion } from "./commit-blob.js";

/** Deletes a blob under the key's lock; the removal of its file is the moment that counts. @returns whether there was one. */
export async function deleteBlob(
  base: BlobBase,
  key: string,
  { ifRevision, signal, check }: WriteOptions & { check(): Promise<void> },
): Promise<boolean> {
  const { versions } = base;
  const current = await currentVersion(base, key);
  checkRevision(key, ifRevision, current?.version.revision);
  if (current === undefined) return false;
  signal?.throwIfAborted();
  // Should we die before the end, whatever comes to this place later does not inherit the metadata. Without room for
  // the note it is left out: on a full disk deleting is what helps.
  await versions.writeSidecar(key, { versions: [current.version], deleting: true }).catch(() => {});
  await check();
  try {
    await rm(current.path);
  } catch (error) {
    if (isAbsent(error)) return false;
    await versions.writeSidecar(key, { versions: [current.version] }).catch(() => {});
    throw error;
  }
  if (base.fsync) await syncFolder(dirname(current.path));
  versions.forget(key);
  const sidecar = versions.sidecarPath(key);
  await rm(sidecar, { force: true });
  await pruneFolders(sidecar, join(base.state, "blobs"));
  // A folder at the top was laid out by somebody; it stays, empty.
  const [top = ""] = current.path.slice(base.folder.length + 1).split(/[\\/]/);
  await pruneFolders(current.path, join(base.folder, top));
  return true;
}

import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import type { FileBase } from "../file-base.js";
import { isAbsent } from "../files/is-absent.js";
import { writeText } from "../files/write-text.js";
import { statePath } from "../names/state-naming.js";
import type { FoundFile } from "./blob-places.js";
import { fileMark, isSettled, sameMark } from "./file-mark.js";
import { openBlobFile } from "./open-blob-file.js";
import { type BlobVersion, readSidecar, type Sidecar } from "./sidecar.js";

/** Which version of a blob a file holds. */
export interface BlobVersions {
  /**
   * Reads the file only when its mark is unknown. A file that holds no version of ours was edited by somebody: its revision
   * comes from its content, its metadata stay. `holdsLock` when the caller has the key's lock.
   *
   * @returns undefined when the file is no longer what was found: look again.
   */
  identify(key: string, found: FoundFile, holdsLock?: boolean): Promise<BlobVersion | undefined>;
  /** Notes that the file is this version, so that it needn't be read. */
  remember(key: string, version: BlobVersion): void;
  forget(key: string): void;
  sidecarPath(key: string): string;
  writeSidecar(key: string, sidecar: Sidecar, fsync?: boolean): Promise<void>;
}

/** Blobs remembered in memory at most; beyond it the oldest are looked up in their sidecars again. */
const maxRemembered = 20_000;

export function createBlobVersions(base: FileBase): BlobVersions {
  const root = join(base.state, "blobs");
  const remembered = new Map<string, BlobVersion>();
  const sidecarPath = (key: string) => statePath(root, key);

  const remember = (key: string, version: BlobVersion) => {
    remembered.delete(key);
    remembered.set(key, version);
    if (remembered.size > maxRemembered) for (const oldest of remembered.keys()) return remembered.delete(oldest);
  };
  const writeSidecar = (key: string, sidecar: Sidecar, fsync = base.fsync) =>
    writeText(base, sidecarPath(key), `${JSON.stringify({ key, ...sidecar })}\n`, fsync);

  /** Saves others, and the next process, reading the file again. It is no loss when it can't be done. */
  const note = async (key: string, path: string, version: BlobVersion) => {
    if (base.readOnly) return;
    try {
      await base.locks.hold(lockOf(key), undefined, async () => {
        if (!sameMark(version.file, fileMark(await lstat(path, { bigint: true })))) return;
        await writeSidecar(key, { versions: [version] });
      });
    } catch {
      remembered.delete(key);
    }
  };

  return {
    sidecarPath,
    writeSidecar,
    remember,
    forget: (key) => remembered.delete(key),

    async identify(key, { path, stat }, holdsLock = false) {
      const mark = fileMark(stat);
      const known = remembered.get(key);
      if (known !== undefined && sameMark(known.file, mark)) return known;

      const sidecar = await readSidecar(sidecarPath(key));
      const noted = sidecar?.versions.find(({ file }) => sameMark(file, mark));
      if (noted !== undefined) {
        const version = { ...noted, file: mark };
        remember(key, version);
        return version;
      }

      const sha256 = await hashFile(path, stat);
      if (sha256 === undefined) return undefined;
      const version = { ...versionOf(sidecar, sha256), file: mark };
      if (!isSettled(stat)) return version;
      remember(key, version);
      if (!holdsLock) await note(key, path, version);
      return version;
    },
  };
}

/** The name under which a blob's writers queue. */
export function lockOf(key: string): string {
  return `blob:${key}`;
}

function versionOf(sidecar: Sidecar | undefined, sha256: string): BlobVersion {
  const ours = sidecar?.versions.find((version) => version.sha256 === sha256);
  if (ours !== undefined) return ours;
  const metadata = sidecar?.deleting ? {} : (sidecar?.versions[0]?.metadata ?? {});
  // From the content alone, so that every process gives an edited file the same revision.
  return { revision: `edited-${sha256.slice(0, 32)}`, sha256, metadata };
}

/** Undefined when the file at the path is, or meanwhile became, another than the one of this stat. */
async function hashFile(path: string, stat: BigIntStats): Promise<string | undefined> {
  const file = await openBlobFile(path).catch((error: unknown) => {
    if (isAbsent(error) || ArtificerError.is(error)) return undefined;
    throw error;
  });
  try {
    if (file === undefined || !sameMark(fileMark(stat), fileMark(await file.stat({ bigint: true })))) return undefined;
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(Number(stat.size), 1024 * 1024)));
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
    return sameMark(fileMark(stat), fileMark(await file.stat({ bigint: true }))) ? hash.digest("hex") : undefined;
  } finally {
    await file?.close();
  }
}

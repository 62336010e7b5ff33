import { lstat } from "node:fs/promises";
import {
  type BlobInfo,
  type BlobStore,
  byteChunks,
  pageLimit,
  storageKey,
  storagePrefix,
  storedJson,
} from "@artificer/protocol";
import type { FileBase } from "../file-base.js";
import { collectPage } from "../files/collect-page.js";
import { withFileErrors } from "../files/file-error.js";
import { isAbsent } from "../files/is-absent.js";
import { plainNaming } from "../names/plain-naming.js";
import { walkKeys } from "../names/walk-keys.js";
import type { BlobBase } from "./blob-base.js";
import { blobInfo } from "./blob-info.js";
import { createBlobPlaces, type FoundFile } from "./blob-places.js";
import type { BlobReaders } from "./blob-readers.js";
import { createBlobVersions, lockOf } from "./blob-versions.js";
import { commitBlob } from "./commit-blob.js";
import { deleteBlob } from "./delete-blob.js";
import { openBlobFile } from "./open-blob-file.js";
import type { BlobVersion } from "./sidecar.js";

/** After so many looks that a writer spoiled, the next is taken under the key's lock. */
const maxLooks = 6;

/** Blobs as plain files named by their keys, metadata beside them under `.state/blobs`. */
export function createFileBlobs(fileBase: FileBase, readers: BlobReaders): BlobStore {
  const base: BlobBase = {
    ...fileBase,
    places: createBlobPlaces(fileBase.folder, fileBase.caseSensitive),
    versions: createBlobVersions(fileBase),
  };
  const { places, versions, gate } = base;

  /** Runs `look` until it is not spoiled by a writer; `spoiled` is what it then gives. */
  const steadily = async <T>(key: string, look: (holdsLock: boolean) => Promise<T | "spoiled">): Promise<T> => {
    for (let count = 0; count < maxLooks || base.readOnly; count++) {
      const result = await look(false);
      if (result !== "spoiled") return result;
    }
    return base.locks.hold(lockOf(key), undefined, async () => {
      for (;;) {
        const result = await look(true);
        if (result !== "spoiled") return result;
      }
    });
  };

  const stat = (key: string, at?: FoundFile): Promise<BlobInfo | undefined> =>
    steadily(key, async (holdsLock) => {
      const found = at ?? (await places.find(key));
      at = undefined;
      if (found === undefined) return undefined;
      const version = await versions.identify(key, found, holdsLock);
      return version === undefined ? "spoiled" : blobInfo(key, found, version);
    });

  return {
    stat: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        return withFileErrors("read", key, () => stat(key));
      }),

    read: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        return withFileErrors("read", key, () =>
          steadily(key, async (holdsLock) => {
            const found = await places.find(key);
            if (found === undefined) return undefined;
            const file = await openBlobFile(found.path).catch((error: unknown) => {
              if (isAbsent(error)) return undefined;
              throw error;
            });
            if (file === undefined) return "spoiled";
            let version: BlobVersion | undefined;
            const opened = { path: found.path, stat: await file.stat({ bigint: true }) };
            try {
              if (opened.stat.isFile()) version = await versions.identify(key, opened, holdsLock);
            } finally {
              if (version === undefined) await file.close();
            }
            const bytes = version && (await readers.read(file, { ...opened, signal }));
            return version && bytes ? { info: blobInfo(key, opened, version), bytes } : "spoiled";
          }),
        );
      }),

    write: (rawKey, bytes, { ifRevision, metadata = {}, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const metadataJson = storedJson(key, metadata);
        if (base.readOnly) throw base.readOnly;
        return withFileErrors("write", key, async () => {
          const draft = await base.drafts.write(byteChunks(key, bytes, signal));
          try {
            return await base.locks.hold(lockOf(key), signal, (check) =>
              commitBlob(base, key, { draft, metadata: JSON.parse(metadataJson), ifRevision, signal, check }),
            );
          } finally {
            await base.drafts.discard(draft);
          }
        });
      }),

    delete: (rawKey, { ifRevision, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        if (base.readOnly) throw base.readOnly;
        return withFileErrors("write", key, () =>
          base.locks.hold(lockOf(key), signal, (check) => deleteBlob(base, key, { ifRevision, signal, check })),
        );
      }),

    list: (rawPrefix, options = {}) =>
      gate.pass(options.signal, async () => {
        const limit = pageLimit(options);
        const prefix = storagePrefix(rawPrefix);
        const keys = walkKeys(base.folder, {
          naming: plainNaming,
          prefix,
          exactNames: base.caseSensitive,
          after: options.cursor,
        });
        const load = async ({ key, path }: { key: string; path: string }) => {
          const found = await lstat(path, { bigint: true }).catch((error: unknown) => {
            if (isAbsent(error)) return undefined;
            throw error;
          });
          return found?.isFile() ? stat(key, { path, stat: found }) : undefined;
        };
        return withFileErrors("read", base.folder, () => collectPage(keys, limit, load, options.signal));
      }),
  };
}

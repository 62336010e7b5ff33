import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  checkRevision,
  type JsonObject,
  pageLimit,
  type RecordStore,
  type StoredRecord,
  storageKey,
  storagePrefix,
  storedJson,
} from "@artificer/protocol";
import type { FileBase } from "../file-base.js";
import { collectPage } from "../files/collect-page.js";
import { withFileErrors } from "../files/file-error.js";
import { isAbsent } from "../files/is-absent.js";
import { renameIntoPlace } from "../files/move-into-place.js";
import { pruneFolders } from "../files/prune-folders.js";
import { corrupt, readJson } from "../files/read-json.js";
import { syncFolder } from "../files/sync-folder.js";
import { stateNaming, statePath } from "../names/state-naming.js";
import { walkKeys } from "../names/walk-keys.js";

const mend = "Put the file back from a backup or from git, or delete it to lose this record alone.";

/** Records as one JSON file a key, `{"revision": …, "value": {…}}`, under `.state/records`. */
export function createFileRecords(base: FileBase): RecordStore {
  const root = join(base.state, "records");

  const readRecord = async (key: string, path: string): Promise<StoredRecord | undefined> => {
    const json = await readJson(path, mend);
    if (json === undefined) return undefined;
    const { revision, value } = json;
    if (typeof revision !== "string") throw corrupt(path, mend, "it has no revision");
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw corrupt(path, mend, "it has no value");
    return { key, value: value as JsonObject, revision };
  };

  return {
    get: (rawKey, { signal } = {}) =>
      base.gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const path = statePath(root, key);
        return withFileErrors("read", path, () => readRecord(key, path));
      }),

    put: (rawKey, value, { ifRevision, signal } = {}) =>
      base.gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const revision = randomBytes(9).toString("base64url");
        const text = `{"revision":${JSON.stringify(revision)},"value":${storedJson(key, value)}}\n`;
        if (base.readOnly) throw base.readOnly;
        const path = statePath(root, key);
        return withFileErrors("write", path, async () => {
          // The lock is taken while the draft is written, and given back while the folder is written through: neither waits for the other.
          const writing = base.drafts.write([Buffer.from(text)]);
          writing.catch(() => {}); // told when the lock is had
          const moving = base.locks.hold(`record:${key}`, signal, async (check) => {
            const draft = await writing;
            if (ifRevision !== undefined) checkRevision(key, ifRevision, (await readRecord(key, path))?.revision);
            signal?.throwIfAborted();
            await check();
            const writeThrough = await renameIntoPlace(draft.path, path, base);
            // Begun within the lock. Its failure is that of the call, but not of the lock.
            const through = base.fsync ? writeThrough() : Promise.resolve();
            through.catch(() => {});
            return { through };
          });
          try {
            await (await moving).through;
            return revision;
          } catch (error) {
            const draft = await writing.catch(() => undefined);
            if (draft !== undefined) await base.drafts.discard(draft);
            throw error;
          }
        });
      }),

    delete: (rawKey, { ifRevision, signal } = {}) =>
      base.gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        if (base.readOnly) throw base.readOnly;
        const path = statePath(root, key);
        return withFileErrors("write", path, () =>
          base.locks.hold(`record:${key}`, signal, async (check) => {
            // Unconditionally, a record that can't be read can be deleted too.
            if (ifRevision !== undefined) checkRevision(key, ifRevision, (await readRecord(key, path))?.revision);
            signal?.throwIfAborted();
            await check();
            try {
              await rm(path);
            } catch (error) {
              if (isAbsent(error)) return false;
              throw error;
            }
            if (base.fsync) await syncFolder(dirname(path));
            await pruneFolders(path, root);
            return true;
          }),
        );
      }),

    list: (rawPrefix, options = {}) =>
      base.gate.pass(options.signal, async () => {
        const limit = pageLimit(options);
        const prefix = storagePrefix(rawPrefix);
        const keys = walkKeys(root, { naming: stateNaming, prefix, exactNames: true, after: options.cursor });
        return withFileErrors("read", root, () =>
          collectPage(keys, limit, ({ key, path }) => readRecord(key, path), options.signal),
        );
      }),
  };
}

import { createHash, randomInt } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessMark } from "../locks/process-mark.js";
import { isAbsent } from "./is-absent.js";

/** A file that is written and waits to be moved into place. */
export interface Draft {
  path: string;
  size: number;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
  ino: bigint;
  mtimeNs: bigint;
}

/** Where files are written before anybody sees them. */
export interface Drafts {
  /** Writes the bytes, as they come, to a file on the disk. When anything fails the draft is gone. */
  write(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Draft>;
  /** Removes a draft that was not moved into place; nothing happens to one that was. */
  discard(draft: Draft): Promise<void>;
}

export function createDrafts(folder: string, mark: ProcessMark, fsync: boolean): Drafts {
  let count = 0;
  return {
    async write(chunks) {
      // The mark comes first: it tells other processes that a draft's writer is alive.
      await mark.ensure();
      const path = join(folder, `${mark.id}-${++count}`);
      const file = await open(path, "wx").catch(async (error) => {
        if (!isAbsent(error)) throw error;
        await mkdir(folder, { recursive: true });
        return open(path, "wx");
      });
      try {
        const hash = createHash("sha256");
        let size = 0;
        for await (const chunk of chunks) {
          hash.update(chunk);
          for (let start = 0; start < chunk.byteLength; ) {
            start += (await file.write(chunk, start, chunk.byteLength - start)).bytesWritten;
          }
          size += chunk.byteLength;
        }
        // The clock that stamps files ticks slowly: an edit right after the write could leave the same time. Random
        // microseconds make this version's time its own.
        const mtime = (Date.now() + randomInt(1000) / 1000) / 1000;
        await file.utimes(mtime, mtime);
        if (fsync) await file.sync();
        const { ino, mtimeNs } = await file.stat({ bigint: true });
        await file.close();
        return { path, size, sha256: hash.digest("hex"), ino, mtimeNs };
      } catch (error) {
        await file.close().catch(() => {});
        await rm(path, { force: true });
        throw error;
      }
    },
    discard: (draft) => rm(draft.path, { force: true }),
  };
}

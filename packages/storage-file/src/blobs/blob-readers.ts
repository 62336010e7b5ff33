import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { ArtificerError, type CallGate, oneChunk, readOnce, untilAborted } from "@artificer/protocol";
import { withFileErrors } from "../files/file-error.js";
import { fileMark, sameMark } from "./file-mark.js";

/** Up to here a blob is read at once and its file closed; most blobs are. In bytes. */
const maxAtOnce = 256 * 1024;
const chunkBytes = 256 * 1024;

/** Reads blobs from opened files, and closes those that nobody read to the end. */
export interface BlobReaders {
  /** Takes over the file. @returns undefined when it was edited in place while it was read: look again. */
  read(
    file: FileHandle,
    about: { path: string; stat: BigIntStats; signal?: AbortSignal },
  ): Promise<AsyncIterable<Uint8Array> | undefined>;
  close(): Promise<void>;
}

export function createBlobReaders(gate: CallGate): BlobReaders {
  const files = new Set<FileHandle>();
  const shut = async (file: FileHandle) => {
    if (files.delete(file)) await file.close();
  };
  // A blob that was asked for and never read would keep its file open for ever.
  const forgotten = new FinalizationRegistry<FileHandle>((file) => void shut(file).catch(() => {}));

  return {
    async read(file, { path, stat, signal }) {
      files.add(file);
      if (Number(stat.size) <= maxAtOnce) {
        try {
          const bytes = await readWhole(file, Number(stat.size));
          if (!(await isUnchanged(file, stat))) return undefined;
          return readOnce(untilAborted(oneChunk(bytes), signal));
        } finally {
          await shut(file);
        }
      }
      // Held by the bytes and, when those are let go in mid-reading, by their iterator.
      const opened = { file };
      const chunks = async function* () {
        try {
          for (let position = 0; ; ) {
            if (gate.closed) throw gate.closedError();
            const buffer = Buffer.allocUnsafeSlow(chunkBytes);
            const { bytesRead } = await withFileErrors("read", path, () =>
              opened.file.read(buffer, 0, chunkBytes, position),
            );
            if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
            else if (await isUnchanged(file, stat)) return;
            else throw edited(path);
            position += bytesRead;
          }
        } finally {
          await shut(opened.file);
        }
      };
      forgotten.register(opened, file);
      return readOnce(untilAborted(chunks(), signal));
    },
    async close() {
      await Promise.allSettled([...files].map(shut));
    },
  };
}

async function readWhole(file: FileHandle, size: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(size);
  let position = 0;
  while (position < size) {
    const { bytesRead } = await file.read(buffer, position, size - position, position);
    if (bytesRead === 0) break;
    position += bytesRead;
  }
  return buffer.subarray(0, position);
}

/** Our own writers never touch a file that is in place; its link count, and so its ctime, may have changed when it was replaced. */
async function isUnchanged(file: FileHandle, stat: BigIntStats): Promise<boolean> {
  const { ino, size, mtimeNs } = fileMark(stat);
  return sameMark({ ino, size, mtimeNs }, fileMark(await file.stat({ bigint: true })));
}

function edited(path: string): ArtificerError {
  return new ArtificerError("storage/conflict", `${path} was edited in place while it was read.`, {
    details: { path },
    hint: "Read it again.",
  });
}

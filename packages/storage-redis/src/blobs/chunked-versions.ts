import { randomBytes } from "node:crypto";
import { ArtificerError } from "@artificer/protocol";
import type { RedisBase } from "../connection.js";
import { addChunk, readChunks } from "../scripts/blob-scripts.js";

/** Size of a chunk, and of the largest blob that is kept in one piece, in bytes. */
export const chunkBytes = 256 * 1024;
const chunksAtOnce = 4;
/** How long unfinished or replaced bytes are kept after somebody last wrote or read them. */
export const keptSeconds = 300;

/** A version of a large blob whose chunks are all there, and to which nothing points yet. */
export interface StagedVersion {
  version: string;
  size: number;
  chunks: number;
}

/** Writes all chunks under a version of its own. One that is never finished expires. */
export async function stageVersion(
  { connection, keys }: RedisBase,
  source: AsyncIterable<Uint8Array>,
): Promise<StagedVersion> {
  const version = randomBytes(12).toString("base64url");
  const key = keys.chunks(version);
  // The source may take its time.
  const renew = () => void connection.run("write", ["EXPIRE", key, String(keptSeconds)]).catch(() => {});
  const renewing = setInterval(renew, (keptSeconds * 1000) / 3).unref();
  let size = 0;
  let chunks = 0;
  try {
    for await (const bytes of source) {
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      await connection.script("write", addChunk, [key], [String(keptSeconds), String(chunks++), piece]);
      size += bytes.byteLength;
    }
    return { version, size, chunks };
  } catch (error) {
    await dropVersion({ connection, keys }, version);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/** What can't be dropped now expires by itself. */
export async function dropVersion(
  { connection, keys }: Pick<RedisBase, "connection" | "keys">,
  version: string,
): Promise<void> {
  await connection.run("write", ["UNLINK", keys.chunks(version)]).catch(() => {});
}

/** The bytes of a version, which stays while it is read, even when it is replaced meanwhile. */
export async function* readVersion(
  { connection, keys, gate }: RedisBase,
  { version, key, size }: { version: string; key: string; size: number },
): AsyncGenerator<Uint8Array> {
  let position = 0;
  for (let index = 0; position < size; index += chunksAtOnce) {
    const wanted = Array.from({ length: chunksAtOnce }, (_, offset) => String(index + offset));
    // Each pull goes through the gate: a storage that was closed meanwhile reads no more.
    const chunks = (await gate.pass(undefined, () =>
      connection.script("read", readChunks, [keys.chunks(version)], [String(keptSeconds), ...wanted]),
    )) as Buffer[];
    if (chunks.length === 0) throw replaced(key);
    for (const bytes of chunks) {
      position += bytes.byteLength;
      yield bytes;
    }
  }
}

function replaced(key: string): ArtificerError {
  return new ArtificerError(
    "storage/conflict",
    `${key} was replaced or deleted while it was read, and the old bytes are kept for ${keptSeconds / 60} minutes only.`,
    { details: { key }, hint: "Read it again, without long pauses." },
  );
}

import { randomBytes } from "node:crypto";
import { ArtificerError } from "@artificer/protocol";
import { and, asc, eq, gte, inArray, lt, notExists, sql } from "drizzle-orm";
import type { DatabaseBase } from "../database.js";
import { postgresError, withPostgresErrors } from "../postgres-error.js";

/** Size of a chunk, and of the largest blob that lies in its own row, in bytes. */
export const chunkBytes = 256 * 1024;
const chunksAtOnce = 4;
/** How long a version that no blob points to is kept after somebody last said that he needs it. */
const keptMinutes = 15;
const renewMs = (keptMinutes * 60_000) / 3;
const versionsAtOnce = 16;
const sweepEveryMs = 60_000;

/** The bytes of large blobs, by version. */
export interface BlobVersions {
  /** Writes all chunks under a version of its own, which nothing points to yet. */
  write(chunks: AsyncIterable<Uint8Array>): Promise<{ version: string; size: number }>;
  /** Keeps the version from being collected for a while. @returns false when it is gone already. */
  touch(version: string): Promise<boolean>;
  /** The bytes of a version that was just touched. */
  read(version: string, about: { key: string; size: number }): AsyncGenerator<Uint8Array>;
  remove(version: string): Promise<void>;
  /** Collects what nobody needs any more; at most once a minute, and beside what goes on. */
  sweepSoon(): void;
}

export function createBlobVersions({ db, tables, tenant, gate, name }: DatabaseBase): BlobVersions {
  const { blobs, blobVersions, blobChunks } = tables;
  const at = (version: string) => and(eq(blobVersions.tenant, tenant), eq(blobVersions.version, version));
  let sweptAt = Number.NEGATIVE_INFINITY;

  const touch = async (version: string) => {
    const found = { version: blobVersions.version };
    try {
      const touched = await db.update(blobVersions).set({ touchedAt: sql`now()` }).where(at(version)).returning(found);
      return touched.length > 0;
    } catch (error) {
      // Who may only read, and who has no room for it, can't say that he does; most readings are over long before it matters.
      const problem = postgresError(error, "write", name);
      if (!ArtificerError.is(problem, "storage/read-only") && !ArtificerError.is(problem, "storage/full")) throw error;
      return (await db.select(found).from(blobVersions).where(at(version))).length > 0;
    }
  };

  const remove = async (version: string) => {
    await db.delete(blobVersions).where(at(version));
  };

  const sweep = async () => {
    const stale = db
      .select({ version: blobVersions.version })
      .from(blobVersions)
      .where(
        and(
          eq(blobVersions.tenant, tenant),
          lt(blobVersions.touchedAt, sql`now() - make_interval(mins => ${keptMinutes})`),
          notExists(
            db
              .select({ version: blobs.version })
              .from(blobs)
              .where(and(eq(blobs.tenant, tenant), eq(blobs.version, blobVersions.version))),
          ),
        ),
      )
      .limit(versionsAtOnce)
      .for("update", { skipLocked: true });
    for (;;) {
      const removed = await db
        .delete(blobVersions)
        .where(and(eq(blobVersions.tenant, tenant), inArray(blobVersions.version, stale)))
        .returning({ version: blobVersions.version });
      if (removed.length < versionsAtOnce || gate.closed) return;
    }
  };

  return {
    touch,
    remove,

    async write(chunks) {
      const version = randomBytes(12).toString("base64url");
      const statement = <T>(run: () => Promise<T>) => withPostgresErrors("write", name, run);
      await statement(async () => db.insert(blobVersions).values({ tenant, version }));
      // The source may take its time.
      const renewing = setInterval(() => void touch(version).catch(() => {}), renewMs).unref();
      try {
        let size = 0;
        let index = 0;
        for await (const bytes of chunks) {
          await statement(async () => db.insert(blobChunks).values({ tenant, version, index: index++, bytes }));
          size += bytes.byteLength;
        }
        return { version, size };
      } catch (error) {
        // What can't be removed now is collected later.
        await remove(version).catch(() => {});
        throw error;
      } finally {
        clearInterval(renewing);
      }
    },

    async *read(version, { key, size }) {
      let position = 0;
      let touchedAt = performance.now();
      const missing = async () => ((await touch(version)) ? corrupt(key, position, size) : replaced(key));
      for (let index = 0; position < size; index += chunksAtOnce) {
        // Each pull goes through the gate: a storage that was closed meanwhile reads no more.
        const rows = await gate.pass(undefined, () =>
          withPostgresErrors("read", name, async () => {
            if (performance.now() - touchedAt > renewMs) {
              if (!(await touch(version))) throw replaced(key);
              touchedAt = performance.now();
            }
            const found = await db
              .select({ bytes: blobChunks.bytes })
              .from(blobChunks)
              .where(
                and(
                  eq(blobChunks.tenant, tenant),
                  eq(blobChunks.version, version),
                  gte(blobChunks.index, index),
                  lt(blobChunks.index, index + chunksAtOnce),
                ),
              )
              .orderBy(asc(blobChunks.index));
            if (found.length === 0) throw await missing();
            return found;
          }),
        );
        for (const { bytes } of rows) {
          position += bytes.byteLength;
          yield bytes;
        }
      }
    },

    sweepSoon() {
      if (gate.closed || performance.now() - sweptAt < sweepEveryMs) return;
      sweptAt = performance.now();
      // What can't be cleared away now does no harm and is tried again.
      void gate.pass(undefined, sweep).catch(() => {});
    },
  };
}

function replaced(key: string): ArtificerError {
  return new ArtificerError(
    "storage/conflict",
    `${key} was replaced or deleted while it was read, and the old bytes are kept for ${keptMinutes} minutes only.`,
    { details: { key }, hint: "Read it again, without long pauses." },
  );
}

function corrupt(key: string, position: number, size: number): ArtificerError {
  return new ArtificerError("storage/corrupt", `${key} ends after ${position} bytes, but should have ${size}.`, {
    details: { key, position, size },
    hint: "Restore the table blob_chunks from a backup, or delete the blob.",
  });
}

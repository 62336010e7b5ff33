import { randomBytes } from "node:crypto";
import {
  type BlobInfo,
  type BlobStore,
  byteChunks,
  checkRevision,
  equalChunks,
  type JsonObject,
  oneChunk,
  readOnce,
  smallOrLarge,
  storageKey,
  storedJson,
  untilAborted,
  type WriteOptions,
} from "@artificer/protocol";
import { and, asc, eq, sql } from "drizzle-orm";
import { compareAndDelete } from "../compare-and-delete.js";
import { compareAndSet } from "../compare-and-set.js";
import type { StoreBase } from "../database.js";
import { inBounds, keyBounds, onceForBounds, pageOf } from "../key-range.js";
import { withPostgresErrors } from "../postgres-error.js";
import { unmapped } from "../unmapped.js";
import { chunkBytes, createBlobVersions } from "./blob-versions.js";

/** What a writer left: the bytes themselves, or the version whose chunks hold them. */
type Content = { size: number } & ({ bytes: Uint8Array; version: null } | { bytes: null; version: string });

/** Blobs as rows: small ones with their bytes, larger ones with a version that `BlobVersions` keeps. */
export function createPostgresBlobs(base: StoreBase): BlobStore {
  const { db, tables, tenant, gate, name } = base;
  const { blobs } = tables;
  const versions = createBlobVersions(base);
  const at = (key: string) => and(eq(blobs.tenant, tenant), eq(blobs.key, key));
  const { key: keyColumn, size, revision: revisionColumn, metadata, updatedAt } = blobs;
  const columns = { key: keyColumn, size, revision: revisionColumn, metadata, updatedAt };
  const currentRevision = async (key: string) => {
    const [row] = await db.select({ revision: revisionColumn }).from(blobs).where(at(key));
    return row?.revision;
  };
  versions.sweepSoon();

  const stage = async (source: AsyncGenerator<Uint8Array>): Promise<Content> => {
    const content = await smallOrLarge(source);
    if ("large" in content) return { ...(await versions.write(content.large)), bytes: null };
    return { size: content.small.byteLength, bytes: content.small, version: null };
  };

  // Put together once, without a name, as for records.
  const given = {
    key: sql.placeholder("key"),
    revision: sql.placeholder("revision"),
    size: sql.placeholder("size"),
    metadata: sql.placeholder("metadata"),
    bytes: sql.placeholder("bytes"),
    version: sql.placeholder("version"),
  };
  const isGiven = and(eq(blobs.tenant, tenant), eq(blobs.key, given.key));
  const insert = () => db.insert(blobs).values({ tenant, ...given, updatedAt: sql`now()` });
  const target = [blobs.tenant, blobs.key];
  const excluded = {
    revision: sql`excluded.revision`,
    size: sql`excluded.size`,
    metadata: sql`excluded.metadata`,
    updatedAt: sql`excluded.updated_at`,
    bytes: sql`excluded.bytes`,
    version: sql`excluded.version`,
  };
  const replaced = {
    revision: sql`${given.revision}`,
    size: sql`${given.size}`,
    metadata: sql`${given.metadata}`,
    updatedAt: sql`now()`,
    bytes: sql`${given.bytes}`,
    version: sql`${given.version}`,
  };
  const statements = {
    stat: db.select(columns).from(blobs).where(isGiven).prepare(""),
    read: db
      .select({ ...columns, bytes: blobs.bytes, version: blobs.version })
      .from(blobs)
      .where(isGiven)
      .prepare(""),
    write: insert().onConflictDoUpdate({ target, set: excluded }).returning(columns).prepare(""),
    create: insert().onConflictDoNothing({ target }).returning(columns).prepare(""),
    replace: db
      .update(blobs)
      .set(replaced)
      .where(and(isGiven, eq(revisionColumn, sql.placeholder("expected"))))
      .returning(columns)
      .prepare(""),
  };

  const listingWithin = onceForBounds((bounds) =>
    unmapped(
      db
        .select({
          key: keyColumn,
          revision: revisionColumn,
          metadata,
          size: sql<string | number>`${size}`.as("size"),
          updated: sql<string>`${updatedAt}`.as("updated"),
        })
        .from(blobs)
        .where(and(eq(blobs.tenant, tenant), inBounds(keyColumn, bounds)))
        .orderBy(asc(keyColumn))
        .limit(sql.placeholder("rows"))
        .prepare(""),
    ),
  );

  /** The one statement by which the old bytes and metadata become the new. */
  const commit = (key: string, content: Content & { metadata: string }, ifRevision: WriteOptions["ifRevision"]) => {
    const row = { ...content, key, revision: randomBytes(9).toString("base64url") };
    const attempt = async () => {
      const [changed] =
        ifRevision === undefined
          ? await statements.write.execute(row)
          : ifRevision === null
            ? await statements.create.execute(row)
            : await statements.replace.execute({ ...row, expected: ifRevision });
      return changed && show(changed);
    };
    return compareAndSet(key, ifRevision, attempt, () => currentRevision(key));
  };

  return {
    stat: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const [row] = await withPostgresErrors("read", name, () => statements.stat.execute({ key }));
        return row && show(row);
      }),

    read: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        return withPostgresErrors("read", name, async () => {
          for (;;) {
            const [row] = await statements.read.execute({ key });
            if (row === undefined) return undefined;
            const { bytes, version } = row;
            // Gone already: it was replaced between the two statements.
            if (version !== null && !(await versions.touch(version))) continue;
            const chunks = version === null ? oneChunk(bytes) : versions.read(version, row);
            return { info: show(row), bytes: readOnce(untilAborted(chunks, signal)) };
          }
        });
      }),

    write: (rawKey, bytes, { ifRevision, metadata: rawMetadata = {}, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const metadata = storedJson(key, rawMetadata);
        const source = equalChunks(byteChunks(key, bytes, signal), chunkBytes);
        let content: Content | undefined;
        try {
          // Before the bytes travel in vain; what counts is the look at the end.
          if (ifRevision !== undefined) {
            const current = await withPostgresErrors("write", name, () => currentRevision(key));
            checkRevision(key, ifRevision, current);
          }
          content = await stage(source);
          signal?.throwIfAborted();
          const committed = { ...content, metadata };
          const info = await withPostgresErrors("write", name, () => commit(key, committed, ifRevision));
          base.changed(key);
          return info;
        } catch (error) {
          // Had the commit gone through without our knowing, the database refuses to remove the version.
          if (content?.version) await versions.remove(content.version).catch(() => {});
          throw error;
        } finally {
          await source.return(undefined);
          versions.sweepSoon();
        }
      }),

    delete: (rawKey, { ifRevision, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const remove = async (revision: string | undefined) => {
          const condition = revision === undefined ? at(key) : and(at(key), eq(revisionColumn, revision));
          const removed = await db.delete(blobs).where(condition).returning({ version: blobs.version });
          if (removed.some(({ version }) => version !== null)) versions.sweepSoon();
          return removed.length > 0;
        };
        const deleted = await withPostgresErrors("write", name, () =>
          compareAndDelete(key, ifRevision, remove, () => currentRevision(key)),
        );
        if (deleted) base.changed(key);
        return deleted;
      }),

    list: (prefix, options = {}) =>
      gate.pass(options.signal, async () => {
        const bounds = keyBounds(prefix, options);
        if (bounds === undefined) return { items: [] };
        const { limit } = bounds;
        const rows = await withPostgresErrors("read", name, () =>
          listingWithin(bounds)({ ...bounds, rows: limit + 1 }),
        );
        return pageOf(rows, limit, (row) => show({ ...row, size: Number(row.size), updatedAt: new Date(row.updated) }));
      }),
  };
}

function show(row: Omit<BlobInfo, "metadata"> & { metadata: string }): BlobInfo {
  const { key, size, revision, updatedAt } = row;
  return { key, size, revision, metadata: JSON.parse(row.metadata) as JsonObject, updatedAt };
}

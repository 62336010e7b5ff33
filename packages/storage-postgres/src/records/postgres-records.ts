import { randomBytes } from "node:crypto";
import { type JsonObject, type RecordStore, storageKey, storedJson } from "@artificer/protocol";
import { and, asc, eq, sql } from "drizzle-orm";
import { compareAndDelete } from "../compare-and-delete.js";
import { compareAndSet } from "../compare-and-set.js";
import type { StoreBase } from "../database.js";
import { inBounds, keyBounds, onceForBounds, pageOf } from "../key-range.js";
import { withPostgresErrors } from "../postgres-error.js";
import { unmapped } from "../unmapped.js";

/** Records as rows; each call is one statement, but for the look that follows a refusal. */
export function createPostgresRecords({ db, tables, tenant, gate, name, changed }: StoreBase): RecordStore {
  const { records } = tables;
  const at = (key: string) => and(eq(records.tenant, tenant), eq(records.key, key));
  const columns = { key: records.key, revision: records.revision, value: records.value };
  const show = ({ key, value, revision }: { key: string; value: string; revision: string }) => ({
    key,
    value: JSON.parse(value) as JsonObject,
    revision,
  });
  const currentRevision = async (key: string) => {
    const [row] = await db.select({ revision: records.revision }).from(records).where(at(key));
    return row?.revision;
  };

  // Put together once: that takes as long as the statement itself. Without a name nothing of them stays on the server, as poolers like it.
  const given = { key: sql.placeholder("key"), value: sql.placeholder("value"), revision: sql.placeholder("revision") };
  const isGiven = and(eq(records.tenant, tenant), eq(records.key, given.key));
  const insert = () => db.insert(records).values({ tenant, ...given });
  const set = { value: sql`excluded.value`, revision: sql`excluded.revision` };
  const returned = { revision: records.revision };
  const statements = {
    get: unmapped(db.select(columns).from(records).where(isGiven).prepare("")),
    // Whatever is there, it does not refuse: no row has to come back to say so.
    put: insert()
      .onConflictDoUpdate({ target: [records.tenant, records.key], set })
      .prepare(""),
    create: unmapped(insert().onConflictDoNothing().returning(returned).prepare("")),
    replace: unmapped(
      db
        .update(records)
        .set({ value: sql`${given.value}`, revision: sql`${given.revision}` })
        .where(and(isGiven, eq(records.revision, sql.placeholder("expected"))))
        .returning(returned)
        .prepare(""),
    ),
  };

  const listingWithin = onceForBounds((bounds) =>
    unmapped(
      db
        .select(columns)
        .from(records)
        .where(and(eq(records.tenant, tenant), inBounds(records.key, bounds)))
        .orderBy(asc(records.key))
        .limit(sql.placeholder("rows"))
        .prepare(""),
    ),
  );

  return {
    get: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const [row] = await withPostgresErrors("read", name, () => statements.get({ key }));
        return row && show(row);
      }),

    put: (rawKey, rawValue, { ifRevision, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const value = storedJson(key, rawValue);
        const revision = randomBytes(9).toString("base64url");
        const row = { key, value, revision };
        const attempt = async () => {
          if (ifRevision === undefined) {
            await statements.put.execute(row);
            return revision;
          }
          const [stored] =
            ifRevision === null
              ? await statements.create(row)
              : await statements.replace({ ...row, expected: ifRevision });
          return stored?.revision;
        };
        const written = await withPostgresErrors("write", name, () =>
          compareAndSet(key, ifRevision, attempt, () => currentRevision(key)),
        );
        changed(key);
        return written;
      }),

    delete: (rawKey, { ifRevision, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const remove = async (revision: string | undefined) => {
          const condition = revision === undefined ? at(key) : and(at(key), eq(records.revision, revision));
          return (await db.delete(records).where(condition).returning({ key: records.key })).length > 0;
        };
        const deleted = await withPostgresErrors("write", name, () =>
          compareAndDelete(key, ifRevision, remove, () => currentRevision(key)),
        );
        if (deleted) changed(key);
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
        return pageOf(rows, limit, show);
      }),
  };
}

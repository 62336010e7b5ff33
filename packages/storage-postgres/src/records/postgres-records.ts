import { randomBytes } from "node:crypto";
import { checkRevision, type JsonObject, type RecordStore, storageKey, storedJson } from "@artificer/protocol";
import { and, asc, eq } from "drizzle-orm";
import { compareAndSet } from "../compare-and-set.js";
import type { DatabaseBase } from "../database.js";
import { keyRange, pageOf } from "../key-range.js";
import { withPostgresErrors } from "../postgres-error.js";

/** Records as rows; each call is one statement, but for the look that follows a refusal. */
export function createPostgresRecords({ db, tables, tenant, gate, name }: DatabaseBase): RecordStore {
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

  return {
    get: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const [row] = await withPostgresErrors("read", name, () => db.select(columns).from(records).where(at(key)));
        return row && show(row);
      }),

    put: (rawKey, rawValue, { ifRevision, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const value = storedJson(key, rawValue);
        const revision = randomBytes(9).toString("base64url");
        const row = { tenant, key, value, revision };
        const insert = () => db.insert(records).values(row);
        const returned = { revision: records.revision };
        const attempt = async () => {
          if (ifRevision === undefined) {
            await insert().onConflictDoUpdate({ target: [records.tenant, records.key], set: { value, revision } });
            return revision;
          }
          const [changed] =
            ifRevision === null
              ? await insert().onConflictDoNothing().returning(returned)
              : await db
                  .update(records)
                  .set({ value, revision })
                  .where(and(at(key), eq(records.revision, ifRevision)))
                  .returning(returned);
          return changed?.revision;
        };
        return withPostgresErrors("write", name, () =>
          compareAndSet(key, ifRevision, attempt, () => currentRevision(key)),
        );
      }),

    delete: (rawKey, { ifRevision, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        return withPostgresErrors("write", name, async () => {
          if (ifRevision === null) {
            checkRevision(key, null, await currentRevision(key));
            return false;
          }
          const remove = async () => {
            const condition = ifRevision === undefined ? at(key) : and(at(key), eq(records.revision, ifRevision));
            const removed = await db.delete(records).where(condition).returning({ key: records.key });
            return removed.length > 0;
          };
          if (ifRevision === undefined) return remove();
          return compareAndSet(
            key,
            ifRevision,
            async () => (await remove()) || undefined,
            () => currentRevision(key),
          );
        });
      }),

    list: (prefix, options = {}) =>
      gate.pass(options.signal, async () => {
        const { where, limit } = keyRange(records.key, prefix, options);
        const rows = await withPostgresErrors("read", name, () =>
          db
            .select(columns)
            .from(records)
            .where(and(eq(records.tenant, tenant), where))
            .orderBy(asc(records.key))
            .limit(limit + 1),
        );
        return pageOf(rows, limit, show);
      }),
  };
}

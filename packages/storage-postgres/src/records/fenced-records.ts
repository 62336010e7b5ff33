import { checkFence, type Lease, type RecordWriteOptions } from "@artificer/protocol";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { DatabaseBase } from "../database.js";

/** Statements that write a record while nobody holds a lease's key after the fence's holding. */
export interface FencedRecords {
  /** @returns whether it is stored. @throws ArtificerError `storage/fenced` */
  put(row: { key: string; value: string; revision: string }, options: Fenced): Promise<boolean>;
  /** @returns whether it was deleted. @throws ArtificerError `storage/fenced` */
  delete(key: string, options: Fenced): Promise<boolean>;
  /** @throws ArtificerError `storage/fenced` */
  check(key: string, fence: Lease): Promise<void>;
}

type Fenced = Pick<RecordWriteOptions, "ifRevision"> & { fence: Lease };

/**
 * The row of the lease stays locked until the write is done: who wants the key next waits for that, and a write that had to wait for
 * somebody sees his token.
 */
export function createFencedRecords({ db, tables, tenant }: DatabaseBase): FencedRecords {
  const { records, leases } = tables;
  const ofLease = (key: string) => and(eq(leases.tenant, tenant), eq(leases.key, key));
  const lock = ({ key }: Lease) => sql`WITH fence AS (SELECT "token" FROM ${leases} WHERE ${ofLease(key)} FOR SHARE)`;
  const isLast = ({ token }: Lease) => sql`NOT EXISTS (SELECT 1 FROM fence WHERE "token" > ${token})`;
  const isHere = (key: string, revision: string | undefined) =>
    and(
      eq(records.tenant, tenant),
      eq(records.key, key),
      revision === undefined ? undefined : eq(records.revision, revision),
    );

  const check: FencedRecords["check"] = async (key, fence) => {
    const [row] = await db.select({ token: leases.token }).from(leases).where(ofLease(fence.key));
    checkFence(key, fence, row?.token);
  };
  const wrote = async (key: string, fence: Lease, statement: SQL): Promise<boolean> => {
    const { rows } = (await db.execute(statement)) as unknown as { rows: unknown[] };
    if (rows.length === 0) await check(key, fence);
    return rows.length > 0;
  };

  return {
    put({ key, value, revision }, { ifRevision, fence }) {
      if (typeof ifRevision === "string") {
        const change = sql`UPDATE ${records} SET "value" = ${value}, "revision" = ${revision}`;
        const condition = sql`WHERE ${isHere(key, ifRevision)} AND ${isLast(fence)}`;
        return wrote(key, fence, sql`${lock(fence)} ${change} ${condition} RETURNING 1 AS one`);
      }
      const row = sql`SELECT ${tenant}::text, ${key}::text, ${revision}::text, ${value}::text WHERE ${isLast(fence)}`;
      const insert = sql`INSERT INTO ${records} ("tenant", "key", "revision", "value") ${row}`;
      const otherwise =
        ifRevision === null
          ? sql`DO NOTHING`
          : sql`DO UPDATE SET "value" = excluded."value", "revision" = excluded."revision"`;
      const conflict = sql`ON CONFLICT ("tenant", "key") ${otherwise}`;
      return wrote(key, fence, sql`${lock(fence)} ${insert} ${conflict} RETURNING 1 AS one`);
    },
    delete(key, { ifRevision, fence }) {
      const condition = sql`WHERE ${isHere(key, ifRevision ?? undefined)} AND ${isLast(fence)}`;
      return wrote(key, fence, sql`${lock(fence)} DELETE FROM ${records} ${condition} RETURNING 1 AS one`);
    },
    check,
  };
}

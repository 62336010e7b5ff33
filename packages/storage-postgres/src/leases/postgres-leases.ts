import { type LeaseStore, leaseTime, storageKey } from "@artificer/protocol";
import { and, eq, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { DatabaseBase } from "../database.js";
import { withPostgresErrors } from "../postgres-error.js";

/** Leases as rows. Each call is one statement, and the database's clock alone counts. A row stays, so that its tokens go on growing. */
export function createPostgresLeases({ db, tables, tenant, gate, name }: DatabaseBase): LeaseStore {
  const { leases } = tables;
  // Not now(), which stands still while a statement waits for another's row.
  const clock = sql`clock_timestamp()`;
  const inTime = (ttlMs: number) => sql`clock_timestamp() + make_interval(secs => ${ttlMs / 1000})`;
  const change = async (key: string, token: number, until: SQL | null) => {
    const isHeld = and(eq(leases.tenant, tenant), eq(leases.key, storageKey(key)), eq(leases.token, token));
    const changed = await withPostgresErrors("write", name, async () =>
      db
        .update(leases)
        .set({ heldUntil: until })
        .where(and(isHeld, gt(leases.heldUntil, clock)))
        .returning({ token: leases.token }),
    );
    return changed.length > 0;
  };
  return {
    acquire: (rawKey, options) =>
      gate.pass(options.signal, async () => {
        const key = storageKey(rawKey);
        const heldUntil = inTime(leaseTime(options));
        const [row] = await withPostgresErrors("write", name, async () =>
          db
            .insert(leases)
            .values({ tenant, key, token: 1, heldUntil })
            .onConflictDoUpdate({
              target: [leases.tenant, leases.key],
              set: { token: sql`${leases.token} + 1`, heldUntil },
              setWhere: or(isNull(leases.heldUntil), lte(leases.heldUntil, clock)),
            })
            .returning({ token: leases.token }),
        );
        return row && { key, token: row.token };
      }),
    renew: ({ key, token }, options) =>
      gate.pass(options.signal, async () => change(key, token, inTime(leaseTime(options)))),
    release: ({ key, token }, { signal } = {}) => gate.pass(signal, async () => change(key, token, null)),
  };
}

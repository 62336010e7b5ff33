import { and, eq } from "drizzle-orm";
import type { DatabaseBase } from "../database.js";
import type { VectorTables } from "../schema/vector-tables.js";

/** A set's row. The number stands for one life of the set: after a drop there is another. */
export interface VectorSetRow {
  id: number;
  dimensions: number;
  /** Whether it has an index of its own. */
  indexed: boolean;
}

/** The sets' rows, remembered: they change seldom, and whoever uses one finds out. */
export interface VectorSets {
  known(name: string): VectorSetRow | undefined;
  /** Looks at the database. */
  look(name: string): Promise<VectorSetRow | undefined>;
  /** Finds the set, or makes it with these dimensions. */
  make(name: string, dimensions: number): Promise<VectorSetRow>;
  remember(name: string, row: VectorSetRow | undefined): void;
}

export function createVectorSets({ db, tenant }: DatabaseBase, { vectorSets }: VectorTables): VectorSets {
  const rows = new Map<string, VectorSetRow>();
  const columns = { id: vectorSets.id, dimensions: vectorSets.dimensions, indexed: vectorSets.indexed };
  const remember = (name: string, row: VectorSetRow | undefined) => {
    if (row === undefined) rows.delete(name);
    else rows.set(name, row);
  };
  const look = async (name: string) => {
    const condition = and(eq(vectorSets.tenant, tenant), eq(vectorSets.name, name));
    const [row] = await db.select(columns).from(vectorSets).where(condition);
    remember(name, row);
    return row;
  };
  return {
    known: (name) => rows.get(name),
    look,
    async make(name, dimensions) {
      for (;;) {
        const found = await look(name);
        if (found !== undefined) return found;
        await db.insert(vectorSets).values({ tenant, name, dimensions }).onConflictDoNothing();
      }
    },
    remember,
  };
}

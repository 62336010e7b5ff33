import { boolean, customType, foreignKey, integer, pgSchema, pgTable, primaryKey, unique } from "drizzle-orm/pg-core";

const byteText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });
/** Without dimensions: sets of several models lie in one table. */
const anyVector = customType<{ data: string }>({ dataType: () => "vector" });

/**
 * The tables of vectors, which are there only where the extension is. A large set has an index of its own, over half-precision copies and
 * no other set's rows (`vectors_set_N`): what is near is then found without looking at other sets, however many there are.
 */
export function createVectorTables(schema?: string) {
  const table = schema === undefined ? pgTable : (pgSchema(schema).table as unknown as typeof pgTable);

  const vectorSets = table(
    "vector_sets",
    {
      tenant: byteText("tenant").notNull(),
      id: integer("id").generatedAlwaysAsIdentity().notNull(),
      name: byteText("name").notNull(),
      dimensions: integer("dimensions").notNull(),
      indexed: boolean("indexed").notNull().default(false),
    },
    (t) => [primaryKey({ columns: [t.tenant, t.id] }), unique().on(t.tenant, t.name)],
  );

  const vectors = table(
    "vectors",
    {
      tenant: byteText("tenant").notNull(),
      set: integer("set").notNull(),
      /** The text's UTF-8: a text column would refuse \0. */
      id: bytea("id").notNull(),
      vector: anyVector("vector").notNull(),
    },
    (t) => [
      primaryKey({ columns: [t.tenant, t.set, t.id] }),
      foreignKey({
        columns: [t.tenant, t.set],
        foreignColumns: [vectorSets.tenant, vectorSets.id],
        name: "vectors_set",
      }).onDelete("cascade"),
    ],
  );

  return { vectorSets, vectors };
}

export type VectorTables = ReturnType<typeof createVectorTables>;

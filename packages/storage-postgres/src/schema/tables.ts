import {
  bigint,
  customType,
  foreignKey,
  index,
  integer,
  pgSchema,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from "drizzle-orm/pg-core";

/** Text in the order of its bytes, whatever the database's own order is. */
const byteText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/**
 * The tables, in a schema or, for the generator of migrations alone, in none. Every key begins with the tenant.
 *
 * Small blobs lie in their own row. Larger ones lie in chunks under a version that a row points to, so that one statement turns
 * from the old bytes to the new; versions that no row points to are collected once nobody has touched them for a while.
 */
export function createTables(schema?: string) {
  // The two functions differ in their types by the schema's name alone.
  const table = schema === undefined ? pgTable : (pgSchema(schema).table as unknown as typeof pgTable);

  const records = table(
    "records",
    {
      tenant: byteText("tenant").notNull(),
      key: byteText("key").notNull(),
      revision: text("revision").notNull(),
      // Not jsonb, which would lose the order of names and refuse \u0000.
      value: text("value").notNull(),
    },
    (t) => [primaryKey({ columns: [t.tenant, t.key] })],
  );

  const blobVersions = table(
    "blob_versions",
    {
      tenant: byteText("tenant").notNull(),
      version: text("version").notNull(),
      /** When a writer or reader last said that it needs the version. */
      touchedAt: timestamp("touched_at", { withTimezone: true }).notNull().defaultNow(),
    },
    (t) => [primaryKey({ columns: [t.tenant, t.version] }), index().on(t.tenant, t.touchedAt)],
  );

  const blobChunks = table(
    "blob_chunks",
    {
      tenant: byteText("tenant").notNull(),
      version: text("version").notNull(),
      index: integer("index").notNull(),
      bytes: bytea("bytes").notNull(),
    },
    (t) => [
      primaryKey({ columns: [t.tenant, t.version, t.index] }),
      foreignKey({
        columns: [t.tenant, t.version],
        foreignColumns: [blobVersions.tenant, blobVersions.version],
        name: "blob_chunks_version",
      }).onDelete("cascade"),
    ],
  );

  const blobs = table(
    "blobs",
    {
      tenant: byteText("tenant").notNull(),
      key: byteText("key").notNull(),
      revision: text("revision").notNull(),
      size: bigint("size", { mode: "number" }).notNull(),
      metadata: text("metadata").notNull(),
      updatedAt: timestamp("updated_at", { withTimezone: true, precision: 3 }).notNull(),
      /** Of a small blob; null when there is a version. */
      bytes: bytea("bytes"),
      version: text("version"),
    },
    (t) => [
      primaryKey({ columns: [t.tenant, t.key] }),
      index().on(t.tenant, t.version),
      // A version that is pointed to can't be collected, whatever else goes wrong.
      foreignKey({
        columns: [t.tenant, t.version],
        foreignColumns: [blobVersions.tenant, blobVersions.version],
        name: "blobs_version",
      }),
    ],
  );

  const leases = table(
    "leases",
    {
      tenant: byteText("tenant").notNull(),
      key: byteText("key").notNull(),
      token: bigint("token", { mode: "number" }).notNull(),
      /** Null when it was released. */
      heldUntil: timestamp("held_until", { withTimezone: true }),
    },
    (t) => [primaryKey({ columns: [t.tenant, t.key] })],
  );

  return { records, blobs, blobVersions, blobChunks, leases };
}

export type Tables = ReturnType<typeof createTables>;

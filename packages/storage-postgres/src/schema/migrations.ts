import { fileURLToPath } from "node:url";
import { ArtificerError } from "@artificer/protocol";
import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import type { Database } from "../database.js";

/** Migrations that come with the package, and the table that says which were applied. */
export interface MigrationSet {
  folder: string;
  table: string;
}

export const mainMigrations: MigrationSet = { folder: "migrations", table: "migrations" };
/** Apart, since they need an extension: where it is absent they are not missing. */
export const vectorMigrations: MigrationSet = { folder: "migrations-vectors", table: "vector_migrations" };

const shipped = ({ folder }: MigrationSet): MigrationMeta[] =>
  readMigrationFiles({ migrationsFolder: fileURLToPath(new URL(`../../${folder}`, import.meta.url)) });

/** One number for all: whoever migrates any schema of this database waits for the other. */
const lock = 4_127_365_802;

export interface MigrateOptions {
  /** Default: those of all tables but vectors'. */
  set?: MigrationSet;
  /** Runs first, in the same transaction. @returns the schema of the types that the tables use. */
  prepare?: (transaction: Database) => Promise<string>;
}

/**
 * Applies the migrations that the schema lacks, all or none, under an advisory lock: of several processes that open at once, one migrates.
 *
 * @returns how many were applied.
 * @throws ArtificerError `storage/unsupported` when the schema was made by a later release.
 */
export async function migrateSchema(
  db: Database,
  schema: string,
  { set = mainMigrations, prepare }: MigrateOptions = {},
): Promise<number> {
  return db.transaction(async (transaction) => {
    const run = (text: string) => transaction.execute(sql.raw(text));
    // The wait is for another's migration, which may take longer than a statement should.
    await run("SET LOCAL statement_timeout = 0");
    await run(`SELECT pg_advisory_xact_lock(${lock})`);
    const types = await prepare?.(transaction);
    // Only when it is missing: a role may own a schema without the right to make one.
    if (!(await exists(transaction, "pg_namespace", "nspname", schema))) await run(`CREATE SCHEMA "${schema}"`);
    await run(`SET LOCAL search_path TO "${schema}"${types === undefined ? "" : `, ${quoted(types)}`}`);
    await run(
      `CREATE TABLE IF NOT EXISTS "${schema}"."${set.table}" ("hash" text PRIMARY KEY, "created_at" bigint NOT NULL, "applied_at" timestamptz NOT NULL DEFAULT now())`,
    );
    const missing = await missingMigrations(transaction, schema, set);
    for (const { hash, folderMillis, sql: statements } of missing) {
      // drizzle-kit names the schema `public` where a table refers to another.
      for (const statement of statements) await run(statement.replaceAll('"public".', `"${schema}".`));
      await transaction.execute(
        sql`INSERT INTO ${sql.raw(`"${schema}"."${set.table}"`)} ("hash", "created_at") VALUES (${hash}, ${folderMillis})`,
      );
    }
    return missing.length;
  });
}

/**
 * The migrations that the schema lacks, without changing anything.
 *
 * @throws ArtificerError `storage/unsupported` when the schema was made by a later release.
 */
export async function missingMigrations(
  db: Database,
  schema: string,
  set: MigrationSet = mainMigrations,
): Promise<MigrationMeta[]> {
  const migrations = shipped(set);
  if (!(await exists(db, "pg_tables", "tablename", set.table, schema))) return migrations;
  const rows = await rowsOf(db, `SELECT "hash" FROM "${schema}"."${set.table}"`);
  const applied = new Set(rows.map(({ hash }) => hash));
  const known = new Set(migrations.map(({ hash }) => hash));
  const unknown = [...applied].filter((hash) => !known.has(String(hash)));
  if (unknown.length === 0) return migrations.filter(({ hash }) => !applied.has(hash));
  throw new ArtificerError(
    "storage/unsupported",
    `The schema ${schema} was made by a later release: ${unknown.length} of its migrations are unknown to this one.`,
    { details: { schema, unknown: unknown.length }, hint: "Update @artificer/storage-postgres here too." },
  );
}

/** Whether a catalog of the database has such a name. Names are checked before: they hold no quotes. */
async function exists(db: Database, catalog: string, column: string, name: string, schema?: string): Promise<boolean> {
  const inSchema = schema === undefined ? "" : ` AND schemaname = '${schema}'`;
  return (
    (await rowsOf(db, `SELECT 1 AS found FROM pg_catalog.${catalog} WHERE ${column} = '${name}'${inSchema}`)).length > 0
  );
}

/** A name as SQL takes it, whatever it holds. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export async function rowsOf(db: Database, text: string): Promise<Array<Record<string, unknown>>> {
  return ((await db.execute(sql.raw(text))) as { rows: Array<Record<string, unknown>> }).rows;
}

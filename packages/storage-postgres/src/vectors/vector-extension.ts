import type { Database } from "../database.js";
import { unwrapped } from "../postgres-error.js";
import { migrateSchema, missingMigrations, rowsOf, vectorMigrations } from "../schema/migrations.js";

/** The extension, as it is installed in the database. */
export interface VectorExtension {
  /** The schema of its types and operators. */
  schema: string;
  /** Whether a scan goes on where it would have given too few (from 0.8.0). */
  iterative: boolean;
  /** Whether the role may make indexes on the table. */
  mayIndex: boolean;
}

/** What there is to rank vectors with, and what is to be told. */
export interface VectorSupport {
  extension?: VectorExtension;
  notices: string[];
}

export interface VectorWishes {
  schema: string;
  /** Whether the extension and its tables may be made. */
  migrate: boolean;
  /** The database by name. */
  name: string;
  /** How the extension is installed where it is absent. */
  howToInstall: (serverMajor: number) => string;
}

const inMemory = "Vectors are searched in memory";

/**
 * Looks whether the database can rank vectors, and makes the extension and its tables where that is allowed. Where it can't be done all
 * else works as before: a notice says why.
 *
 * @throws ArtificerError `storage/unsupported` when the tables were made by a later release; what the database says of a lost connection.
 */
export async function prepareVectors(db: Database, wishes: VectorWishes): Promise<VectorSupport> {
  const { schema, migrate, name } = wishes;
  const before = await lookUp(db);
  if (!before.available) {
    const why = `${inMemory}: ${name} has not got the extension pgvector.`;
    return { notices: [`${why} ${wishes.howToInstall(before.serverMajor)}`] };
  }
  const missing = before.schema === undefined || (await missingMigrations(db, schema, vectorMigrations)).length > 0;
  if (missing && !migrate) {
    const why = `${inMemory}: the schema ${schema} in ${name} has no tables for them yet.`;
    return { notices: [`${why} Open it once with \`migrate: true\`, as a role that may make them.`] };
  }
  if (missing) {
    try {
      await migrateSchema(db, schema, { set: vectorMigrations, prepare: createExtension });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const mend = `Let a role that may run \`CREATE EXTENSION vector\` in the database, and open it again.`;
      return { notices: [`${inMemory}: the extension pgvector could not be set up in ${name} (${refusal}). ${mend}`] };
    }
  }
  return withRights(db, wishes);
}

async function withRights(db: Database, { schema, name }: VectorWishes): Promise<VectorSupport> {
  const { schema: types, version } = await lookUp(db);
  const [rights] = await rowsOf(
    db,
    `SELECT has_table_privilege(c.oid, 'SELECT') AND has_table_privilege('"${schema}"."vector_sets"', 'SELECT') AS read,
      pg_has_role(c.relowner, 'USAGE') AS own
    FROM pg_catalog.pg_class c WHERE c.oid = '"${schema}"."vectors"'::regclass`,
  );
  if (rights?.read !== true) {
    const mend = `Grant SELECT, INSERT, UPDATE and DELETE on "vectors" and "vector_sets" in the schema ${schema}.`;
    return { notices: [`${inMemory}: this role may not read their tables in ${name}. ${mend}`] };
  }
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  const extension = {
    schema: types ?? "public",
    iterative: major > 0 || minor >= 8,
    mayIndex: rights.own === true,
  };
  if (extension.mayIndex) return { extension, notices: [] };
  const why = `Large sets of vectors are ranked without an index in ${name}: this role does not own their table.`;
  return { extension, notices: [`${why} An opening as its owner makes the index at its next write.`] };
}

/** Installed, its schema and version; or at least to be had. */
async function lookUp(db: Database) {
  const [row] = await rowsOf(
    db,
    `SELECT current_setting('server_version_num')::int / 10000 AS server_major,
      EXISTS (SELECT 1 FROM pg_catalog.pg_available_extensions WHERE name = 'vector') AS available,
      (SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector') AS schema,
      (SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'vector') AS version`,
  );
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    serverMajor: Number(row?.server_major),
    available: row?.available === true,
    schema: text(row?.schema),
    version: text(row?.version),
  };
}

/** Before the search path is ours: it goes where the database keeps such things, and stays when our schema is dropped. */
async function createExtension(transaction: Database): Promise<string> {
  await rowsOf(transaction, "CREATE EXTENSION IF NOT EXISTS vector");
  return (await lookUp(transaction)).schema ?? "public";
}

/** What the database refuses to do, as against what it was kept from doing; undefined for the latter. */
function refusalOf(thrown: unknown): string | undefined {
  const error = unwrapped(thrown);
  const code = String((error as { code?: unknown } | undefined)?.code ?? "");
  // No privilege or no such thing; not supported; a file of the system is missing; not in the state for it; read-only.
  return /^(?:42|0A|58|55|25)\w{3}$/.test(code) ? `${(error as Error).message}` : undefined;
}

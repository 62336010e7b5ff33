import { ArtificerError, createCallGate, type Storage } from "@artificer/protocol";
import { createPostgresBlobs } from "../blobs/postgres-blobs.js";
import type { Database } from "../database.js";
import { createPostgresLeases } from "../leases/postgres-leases.js";
import { postgresError } from "../postgres-error.js";
import { createPostgresRecords } from "../records/postgres-records.js";
import { migrateSchema, missingMigrations, rowsOf } from "../schema/migrations.js";
import { createTables } from "../schema/tables.js";
import { createPostgresVectors } from "../vectors/postgres-vectors.js";
import type { RunScript } from "../vectors/script.js";
import { prepareVectors } from "../vectors/vector-extension.js";
import type { OpenChangeChannel } from "../watch/change-channel.js";
import { createPostgresChanges } from "../watch/postgres-changes.js";

/** What a storage in any database is told. */
export interface DatabaseStorageOptions {
  /** Whose data this is: each tenant sees its own alone. 1 to 200 characters; default `default`. */
  tenant?: string;
  /** The schema of the tables, of lower-case letters, digits and underscores. Default `artificer`. */
  schema?: string;
  /** Whether missing tables are made, and old ones brought up to date. Default true. */
  migrate?: boolean;
  /** False leaves vectors to the memory of each process, also where the database could rank them. Default true. */
  vectors?: boolean;
}

interface Opening {
  db: Database;
  kind: string;
  /** For messages. */
  name: string;
  reopen: string;
  durable: boolean;
  listen: OpenChangeChannel;
  script: RunScript;
  /** How pgvector is installed there. */
  howToInstallVectors: (serverMajor: number) => string;
  /** Ends what the opening made. */
  end(): Promise<void>;
}

/** Brings the schema up to date, or sees that it is, and makes the two stores. What fails ends the opening. */
export async function openDatabaseStorage(opening: Opening, options: DatabaseStorageOptions): Promise<Storage> {
  const { db, kind, name, durable } = opening;
  try {
    const { tenant, schema, migrate, vectors: wanted } = checkedOptions(options);
    await checkEncoding(db, name);
    const missing = (await missingMigrations(db, schema)).length;
    if (missing > 0 && !migrate) throw notMigrated(name, schema, missing);
    if (missing > 0) await migrateSchema(db, schema);
    const { howToInstallVectors: howToInstall, script } = opening;
    const { extension, notices } = wanted
      ? await prepareVectors(db, { schema, migrate, name, howToInstall })
      : { notices: [] };
    const gate = createCallGate(`The storage in ${name}`, opening.reopen);
    const own = { db, tables: createTables(schema), tenant, gate, name };
    const changes = createPostgresChanges(own, schema, opening.listen);
    const base = { ...own, changed: changes.changed };
    const vectors = extension && createPostgresVectors({ base: own, schema, script, extension });
    let closing: Promise<void> | undefined;
    return {
      kind,
      capabilities: { vectors: vectors !== undefined, leases: true, watch: true, durable },
      records: createPostgresRecords(base),
      blobs: createPostgresBlobs(base),
      leases: createPostgresLeases(own),
      watch: changes.feed,
      ...(vectors === undefined ? {} : { vectors }),
      notices,
      close() {
        closing ??= gate.close().then(changes.close).then(opening.end);
        return closing;
      },
    };
  } catch (error) {
    await opening.end().catch(() => {});
    throw postgresError(error, "read", name);
  }
}

/** @throws ArtificerError `usage/invalid-argument` for names that can't be. */
export function checkedOptions(options: DatabaseStorageOptions): Required<DatabaseStorageOptions> {
  const { tenant = "default", schema = "artificer", migrate = true, vectors = true } = options;
  const wrong = (field: string, value: unknown, allowed: string) =>
    new ArtificerError(
      "usage/invalid-argument",
      `\`${field}\` can't be ${JSON.stringify(value)}: it must be ${allowed}.`,
      {
        details: { field },
      },
    );
  if (typeof tenant !== "string" || tenant.length < 1 || tenant.length > 200 || /[\p{Cc}\p{Surrogate}]/u.test(tenant))
    throw wrong("tenant", tenant, "text of 1 to 200 characters, without control characters");
  if (
    typeof schema !== "string" ||
    !/^[a-z_][a-z0-9_]{0,62}$/.test(schema) ||
    /^(public|pg_.*|information_schema)$/.test(schema)
  )
    throw wrong(
      "schema",
      schema,
      "a schema of its own, of lower-case letters, digits and underscores, such as artificer",
    );
  for (const [field, value] of Object.entries({ migrate, vectors }))
    if (typeof value !== "boolean") throw wrong(field, value, "true or false");
  return { tenant, schema, migrate, vectors };
}

async function checkEncoding(db: Database, name: string): Promise<void> {
  const [row] = await rowsOf(db, "SHOW server_encoding");
  const encoding = String(row?.server_encoding);
  if (encoding === "UTF8") return;
  throw new ArtificerError("storage/unsupported", `${name} has the encoding ${encoding}; it must be UTF8.`, {
    details: { encoding },
    hint: "Make a database for Artificer: `createdb --encoding UTF8 --template template0 NAME`.",
  });
}

function notMigrated(name: string, schema: string, missing: number): ArtificerError {
  return new ArtificerError("storage/unavailable", `The schema ${schema} in ${name} lacks ${missing} migration(s).`, {
    details: { schema, missing },
    hint: "Open it once with `migrate: true`, as a role that may make tables.",
  });
}

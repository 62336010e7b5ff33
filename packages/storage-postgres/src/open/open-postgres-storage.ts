import { ArtificerError, type Storage } from "@artificer/protocol";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Database } from "../database.js";
import type { Row } from "../vectors/script.js";
import { serverChannel } from "../watch/server-channel.js";
import { type DatabaseStorageOptions, openDatabaseStorage } from "./open-database-storage.js";

export interface PostgresStorageOptions extends DatabaseStorageOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full`. This or `pool`. */
  url?: string;
  /** A pool of yours, which stays open when the storage is closed. It needs an `error` listener and limits of its own. */
  pool?: pg.Pool;
  /** Longest a statement may take, and longest wait for a connection, in milliseconds. Default 30,000. With `url` only. */
  statementTimeoutMs?: number;
  /** Connections at most. Default 10. With `url` only. */
  maxConnections?: number;
}

/**
 * Opens the storage in a PostgreSQL database, and makes its tables when they are missing and may be made. Any number of processes
 * may have it open. Connections that were lost are made anew by the next call; the calls they were lost under are refused.
 *
 * @throws ArtificerError `storage/unavailable` when the server can't be reached or refuses the role, `storage/unsupported` when
 * the database can't hold the tables, `usage/invalid-argument` for options that can't be.
 */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { pool, name, end } = poolOf(options);
  const db = drizzle(pool) as unknown as Database;
  return openDatabaseStorage(
    {
      db,
      kind: "postgres",
      name,
      reopen: "openPostgresStorage",
      durable: true,
      listen: serverChannel(pool),
      async script(statements, { timeoutMs } = {}) {
        // Without values the server takes several statements at once.
        const text = statements.join(";\n");
        const results = await pool.query(timeoutMs === undefined ? text : { text, ...{ query_timeout: timeoutMs } });
        return [results].flat().map(({ rows }) => rows as Row[]);
      },
      howToInstallVectors: (major) =>
        `Install it on the server (\`apt install postgresql-${major}-pgvector\` from apt.postgresql.org, or https://github.com/pgvector/pgvector), and run \`CREATE EXTENSION vector\` in the database.`,
      end,
    },
    options,
  );
}

function poolOf(options: PostgresStorageOptions): { pool: pg.Pool; name: string; end: () => Promise<void> } {
  const { url, pool } = options;
  if ((url === undefined) === (pool === undefined)) throw invalid("Give `url` or `pool`, and not both.");
  if (pool !== undefined) {
    for (const name of ["statementTimeoutMs", "maxConnections"] as const)
      if (options[name] !== undefined) throw invalid(`\`${name}\` goes with \`url\`; a pool has limits of its own.`);
    const name = "the PostgreSQL server of the pool that was given";
    return { pool, name, end: async () => {} };
  }
  const name = nameOf(url ?? "");
  const statementTimeoutMs = wholeNumber("statementTimeoutMs", options.statementTimeoutMs ?? 30_000);
  const own = new pg.Pool({
    connectionString: url,
    max: wholeNumber("maxConnections", options.maxConnections ?? 10),
    statement_timeout: statementTimeoutMs,
    // A connection that was cut without a word answers nothing, not even that a statement took too long.
    query_timeout: statementTimeoutMs + 5_000,
    connectionTimeoutMillis: statementTimeoutMs,
    keepAlive: true,
    application_name: "artificer",
  });
  // Idle connections may be lost at any time; the pool drops them, and calls make new ones.
  own.on("error", () => {});
  return { pool: own, name, end: () => own.end() };
}

/** The address without user, password and settings. */
function nameOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["postgres:", "postgresql:"].includes(parsed.protocol))
    throw invalid(
      "`url` must be like postgres://USER:PASSWORD@HOST:PORT/DATABASE, with % codes for what is special in it.",
    );
  return `postgres at ${parsed.host || "localhost"}${parsed.pathname}`;
}

function wholeNumber(field: string, value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= 2_000_000_000) return value;
  throw invalid(`\`${field}\` must be a whole number from 1, not ${value}.`);
}

function invalid(message: string): ArtificerError {
  return new ArtificerError("usage/invalid-argument", message);
}

import {
  ArtificerError,
  readAndRepeat as again,
  lineProblem,
  type ServerErrorMeaning as Meaning,
  serverError,
} from "@artificer/protocol";

const unreachable: Meaning = {
  code: "storage/unavailable",
  hint: `See that the server runs and can be reached; the connection is made anew by the next call. ${again}`,
};
const untrusted: Meaning = {
  code: "storage/unavailable",
  hint: "Mend the TLS settings in the URL: `sslmode=verify-full`, with `sslrootcert=FILE` for a certificate that is not publicly trusted.",
};
const full: Meaning = {
  code: "storage/full",
  hint: "Make room on the server's disk, and do it again: nothing was changed.",
};
const notMigrated: Meaning = {
  code: "storage/unavailable",
  hint: "Somebody removed the tables: open the storage again with `migrate: true`.",
};

/** By SQLSTATE, the whole or its class. */
const meanings: Readonly<Record<string, Meaning>> = {
  "53100": full,
  "53400": full,
  "53": {
    code: "storage/unavailable",
    hint: `The server is short of memory or connections: try later, or use fewer. ${again}`,
  },
  "25006": {
    code: "storage/read-only",
    hint: "Connect to the primary server, or as a role whose transactions may write.",
  },
  "28": {
    code: "storage/unavailable",
    hint: "Mend the user or password in the URL, its `sslmode`, or the server's pg_hba.conf.",
  },
  "3D": { code: "storage/unavailable", hint: "Create the database (`createdb NAME`), or mend its name in the URL." },
  "3F": notMigrated,
  "42P01": notMigrated,
  "42703": notMigrated,
  "57014": {
    code: "storage/unavailable",
    hint: `The statement took longer than allowed: raise \`statementTimeoutMs\`. ${again}`,
  },
  "57": unreachable,
  "08": unreachable,
  "23503": {
    code: "storage/unavailable",
    hint: "The writer stood still for so long that its unfinished bytes were cleared away. Write it again.",
  },
};

/** What pg says without a code. */
const lostConnection =
  /connection terminated|connection ended|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|not queryable|server closed/i;
/** What pg and TLS say of a certificate or of a server without one, not always with a code. */
const noTls = /certificate|\bssl\b/i;

/**
 * What the database said, as an error of ours. What is no database's error (an abort's reason, the failure of a source, an
 * error of ours) comes back as it is. The statement and its values stay out of the message: they hold the user's data.
 */
export function postgresError(thrown: unknown, doing: "read" | "write", name: string): unknown {
  const error = unwrapped(thrown);
  if (!(error instanceof Error) || ArtificerError.is(error)) return error;
  const { code: rawCode } = error as { code?: unknown };
  const code = typeof rawCode === "string" ? rawCode : "";
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && ("severity" in error || "routine" in error);
  const meaning = isSqlState ? ofState(code, doing) : ofLine(error, code);
  if (meaning === undefined) return error;
  return serverError(error, meaning, { doing, name, reason: code === "" ? undefined : code });
}

/** What the driver threw: drizzle wraps it. PGlite's own errors have a `query` too, and no cause. */
export function unwrapped(thrown: unknown): unknown {
  return thrown instanceof Error && "query" in thrown && thrown.cause instanceof Error ? thrown.cause : thrown;
}

function ofLine(error: Error, code: string): Meaning | undefined {
  const problem = lineProblem(code);
  if (problem === "tls" || noTls.test(error.message)) return untrusted;
  return problem === "line" || lostConnection.test(error.message) ? unreachable : undefined;
}

function ofState(state: string, doing: "read" | "write"): Meaning {
  if (state === "42501") {
    return doing === "write"
      ? { code: "storage/read-only", hint: "Grant this role INSERT, UPDATE and DELETE on the schema's tables." }
      : { code: "storage/unavailable", hint: "Grant this role USAGE on the schema and SELECT on its tables." };
  }
  return (
    meanings[state] ??
    meanings[state.slice(0, 2)] ?? { code: "storage/unavailable", hint: `The server refused it. ${again}` }
  );
}

/** Runs statements and gives their failures by `postgresError`. */
export async function withPostgresErrors<T>(doing: "read" | "write", name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw postgresError(error, doing, name);
  }
}

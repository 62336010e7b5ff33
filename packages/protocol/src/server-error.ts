import { ArtificerError } from "./errors/artificer-error.js";
import type { ErrorCode } from "./errors/error-codes.js";

/** What a server's or a client library's error means to a storage. */
export interface ServerErrorMeaning {
  code: ErrorCode;
  hint: string;
}

export interface ServerErrorContext {
  doing: "read" | "write";
  /** The server by name, without its password. */
  name: string;
  /** The word or number by which it tells its errors apart. */
  reason?: string;
}

/** What to do about a call whose answer is not known. */
export const readAndRepeat = "Nothing is known to be lost: read what is stored, and do it again.";

const tlsCode =
  /^(CERT_[A-Z_]+|[A-Z_]*SELF_SIGNED[A-Z_]*|UNABLE_TO_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|ERR_(TLS|SSL)_[A-Z0-9_]+)$/;

/** What a code of the system's sockets, name resolution or TLS says of the line to a server; undefined for any other code. */
export function lineProblem(code: unknown): "tls" | "line" | undefined {
  if (typeof code !== "string") return undefined;
  if (tlsCode.test(code)) return "tls";
  return /^E[A-Z0-9]+$/.test(code) ? "line" : undefined;
}

/** A storage driver's error for what a server or its client said. Statements and values are not in it: they hold the user's data. */
export function serverError(
  error: Error,
  { code, hint }: ServerErrorMeaning,
  { doing, name, reason }: ServerErrorContext,
): ArtificerError {
  return new ArtificerError(code, `Can't ${doing} ${name}: ${messageOf(error)}.`, {
    details: { storage: name, ...(reason === undefined ? {} : { reason }) },
    hint,
    cause: error,
  });
}

/** A refused connection to a name with several addresses is an AggregateError without a message. */
function messageOf(error: Error): string {
  const inner = error instanceof AggregateError ? error.errors.find((one) => one instanceof Error) : undefined;
  return (error.message || inner?.message || error.constructor.name).replace(/\.$/, "");
}

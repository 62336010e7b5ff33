import type { JsonValue } from "../json.js";
import { type ErrorCode, isErrorCode } from "./error-codes.js";

const brand = Symbol.for("artificer.error");

/** What an error carries besides its code and message. */
export interface ArtificerErrorOptions {
  /** Facts a program can use: the field, the line, the allowed values. */
  details?: Record<string, JsonValue | undefined>;
  /** One sentence that says how to mend it. */
  hint?: string;
  cause?: unknown;
}

/** An error as it crosses a process or network boundary. */
export interface ErrorJson {
  code: string;
  message: string;
  hint?: string;
  details?: Record<string, JsonValue | undefined>;
}

/**
 * The one error class of Artificer. `code` is stable and meant for programs; `message` and `hint` are for people and models.
 * Recognised across duplicate installations through a registered symbol: use `ArtificerError.is`.
 */
export class ArtificerError extends Error {
  override readonly name = "ArtificerError";
  readonly code: ErrorCode;
  readonly details: Record<string, JsonValue | undefined>;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: ArtificerErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.hint = options.hint;
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for any ArtificerError, also one made by another copy of this package; with `code`, only for that code. */
  static is(error: unknown, code?: ErrorCode): error is ArtificerError {
    if (typeof error !== "object" || error === null || !(brand in error)) return false;
    return code === undefined || (error as unknown as ArtificerError).code === code;
  }

  toJSON(): ErrorJson {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(Object.keys(this.details).length === 0 ? {} : { details: this.details }),
    };
  }
}

/** Rebuilds an error that crossed the wire; an unknown code becomes `fallback`. */
export function errorFromJson(json: ErrorJson, fallback: ErrorCode = "internal/fault"): ArtificerError {
  const code = isErrorCode(json.code) ? json.code : fallback;
  return new ArtificerError(code, json.message, { details: json.details, hint: json.hint });
}

/** Anything thrown, as an ArtificerError; one of ours is returned as it is. */
export function toArtificerError(thrown: unknown, code: ErrorCode = "internal/fault"): ArtificerError {
  if (ArtificerError.is(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new ArtificerError(code, message, { cause: thrown });
}

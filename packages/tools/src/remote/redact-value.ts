import { ArtificerError, type JsonValue, type Value } from "@artificer/protocol";
import type { Redactor } from "./redactor.js";

/** A result with every remembered secret taken out of its texts; bytes are left as they are. */
export function redactValue(value: Value, redactor: Redactor): Value {
  if (typeof value === "string") return redactor.redact(value);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item: Value) => redactValue(item, redactor));
  if (value instanceof Map) {
    return new Map(Array.from(value, ([key, item]) => [redactValue(key, redactor), redactValue(item, redactor)]));
  }
  if (value instanceof Set) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactor.redact(key), redactValue(item as Value, redactor)]),
  );
}

/** The same error with every remembered secret taken out; its cause stays on the host only when it holds none. */
export function redactError(error: ArtificerError, redactor: Redactor): ArtificerError {
  const message = redactor.redact(error.message);
  const details = redactValue(error.details as Value, redactor) as Record<string, JsonValue | undefined>;
  const cause = error.cause instanceof Error ? `${error.cause.message}${error.cause.stack ?? ""}` : "";
  return new ArtificerError(error.code, message, {
    details,
    hint: error.hint,
    ...(cause !== "" && redactor.redact(cause) === cause ? { cause: error.cause } : {}),
  });
}

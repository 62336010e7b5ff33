import { ArtificerError } from "./errors/artificer-error.js";
import type { JsonObject } from "./json.js";
import type { LeaseOptions, ListOptions, StorageKey, WriteOptions } from "./storage.js";

/**
 * The compare in compare-and-set, the same for every driver. `actual` is the stored revision, undefined when nothing is stored.
 *
 * @throws ArtificerError `storage/conflict`
 */
export function checkRevision(key: StorageKey, expected: WriteOptions["ifRevision"], actual: string | undefined): void {
  if (expected === undefined || (expected ?? undefined) === actual) return;
  const found = actual === undefined ? "nothing is stored" : "another version is stored";
  const wanted = expected === null ? "nothing" : `revision ${expected}`;
  throw new ArtificerError("storage/conflict", `${key} was not changed: ${wanted} was expected, but ${found}.`, {
    details: { key, expected, actual: actual ?? null },
    hint: "Read it again, apply the change to what is there now, and write with its revision.",
  });
}

/** @throws ArtificerError `usage/invalid-argument` for a limit that is no whole number from 1. */
export function pageLimit(options: ListOptions = {}): number {
  const { limit = 1000 } = options;
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new ArtificerError(
    "usage/invalid-argument",
    `The limit of a listing must be a whole number from 1, not ${limit}.`,
    {
      details: { limit: String(limit) },
    },
  );
}

const dayMs = 24 * 3600 * 1000;

/** @returns the milliseconds. @throws ArtificerError `usage/invalid-argument` when they are no whole number from 1 to a day. */
export function leaseTime({ ttlMs }: LeaseOptions): number {
  if (Number.isInteger(ttlMs) && ttlMs >= 1 && ttlMs <= dayMs) return ttlMs;
  throw new ArtificerError(
    "usage/invalid-argument",
    `\`ttlMs\` of a lease must be a whole number from 1 to ${dayMs}, not ${ttlMs}.`,
    { details: { field: "ttlMs", ttlMs: String(ttlMs) } },
  );
}

/**
 * A record's value or a blob's metadata as JSON text; the text is also a copy that the caller can't change any more.
 *
 * @throws ArtificerError `usage/invalid-argument` when it is no JSON object.
 */
export function storedJson(key: StorageKey, value: JsonObject, indent?: number): string {
  try {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isObject) return JSON.stringify(value, undefined, indent);
  } catch (cause) {
    throw notJson(key, cause);
  }
  throw notJson(key);
}

function notJson(key: StorageKey, cause?: unknown): ArtificerError {
  return new ArtificerError("usage/invalid-argument", `What is stored under ${key} must be a JSON object.`, {
    details: { key },
    hint: "Store an object of strings, numbers, booleans, nulls, lists and objects, without cycles.",
    cause,
  });
}

/**
 * What a change counts for where changes are counted by parts of the store: the first segment of the key and its slash, or nothing for a key
 * of one segment.
 */
export function changeScope(key: StorageKey): string {
  return key.slice(0, key.indexOf("/") + 1);
}

/** Whether a change counted for this scope may be one under the prefix. */
export function scopeMeets(scope: string, prefix: string): boolean {
  return prefix.includes("/") ? scope === changeScope(prefix) : scope === "" || scope.startsWith(prefix);
}

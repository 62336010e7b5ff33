import { ArtificerError } from "./errors/artificer-error.js";
import type { StorageKey } from "./storage.js";

/** Longest key, in UTF-8 bytes. */
export const maxKeyBytes = 512;

/** Keys of letters, digits, `_`, `-` and inner dots, with nothing wrong but their length. */
const plainKey = /^[\w-][\w.-]{0,199}(?:\/[\w-][\w.-]{0,199})*$/;

/**
 * Checks a key at the boundary, so that drivers need not: one or more segments joined by `/`; a segment is 1 to 200 bytes,
 * is not `.` or `..`, does not begin with a dot, has no control character, backslash, or surrounding space.
 *
 * @throws ArtificerError `storage/invalid-key` naming what is wrong.
 */
export function storageKey(key: string): StorageKey {
  const problem = keyProblem(key);
  if (problem === undefined) return key.normalize("NFC");
  throw new ArtificerError("storage/invalid-key", `${JSON.stringify(key)} can't be a key: ${problem}.`, {
    details: { key, problem },
    hint: "Use names such as report or reports/2024/may.json.",
  });
}

/** What is wrong with a key, in words; undefined when it is fine. */
export function keyProblem(key: string): string | undefined {
  if (typeof key !== "string" || key === "") return "it is empty";
  // What nearly all keys are; each call of a storage looks at one or more.
  if (key.length <= maxKeyBytes && plainKey.test(key)) return undefined;
  const encoder = new TextEncoder();
  if (encoder.encode(key).byteLength > maxKeyBytes) return `it is longer than ${maxKeyBytes} bytes`;
  if (/\p{Surrogate}/u.test(key)) return "it is no well-formed Unicode";
  for (const segment of key.split("/")) {
    if (segment === "") return "it has an empty segment";
    if (segment.startsWith(".")) return `the segment ${JSON.stringify(segment)} begins with a dot`;
    if (encoder.encode(segment).byteLength > 200) return "a segment is longer than 200 bytes";
    if (/[\p{Cc}\\]/u.test(segment)) return "it has a control character or backslash";
    if (segment !== segment.trim()) return "a segment begins or ends with white space";
  }
  return undefined;
}

/**
 * Checks the prefix of a listing: its whole segments are what a key allows, what follows the last `/` may be anything.
 *
 * @throws ArtificerError `storage/invalid-key` when no key could ever begin so, as with `../`.
 */
export function storagePrefix(prefix: string): string {
  const end = prefix.lastIndexOf("/");
  const problem = end < 0 ? undefined : keyProblem(prefix.slice(0, end));
  if (problem === undefined) return prefix.normalize("NFC");
  throw new ArtificerError("storage/invalid-key", `No key begins with ${JSON.stringify(prefix)}: ${problem}.`, {
    details: { prefix, problem },
    hint: "List by a prefix such as reports/ or reports/2024/, or by an empty one for everything.",
  });
}

/** The order of listings: by the keys' UTF-8 bytes, whatever the language of the driver. */
export function compareKeys(a: StorageKey, b: StorageKey): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return utf8Rank(left) - utf8Rank(right);
  }
  return a.length - b.length;
}

/** UTF-16 puts code points beyond U+FFFF, as surrogates, before U+E000; UTF-8 puts them last. */
function utf8Rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

import { ArtificerError } from "./errors/artificer-error.js";
import type { StorageKey } from "./storage.js";

/** Longest key, in UTF-8 bytes. */
export const maxKeyBytes = 512;

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

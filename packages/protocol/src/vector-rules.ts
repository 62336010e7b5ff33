import { ArtificerError } from "./errors/artificer-error.js";
import type { StorageKey } from "./storage.js";
import type { NearestOptions, VectorEntry } from "./vector-store.js";

/** Longest id of a vector, in UTF-8 bytes. */
export const maxVectorIdBytes = 512;
/** Most hits of one call. */
export const maxNearest = 10_000;
/** Most dimensions. */
export const maxDimensions = 16_000;
/** How far a vector's length may be from 1: what rounding to 16 bits leaves, and some more. */
const lengthTolerance = 0.01;

/** What a put may store: vectors by their ids, all of one number of dimensions. */
export interface CheckedVectors {
  /** The later of two with one id. The vectors are the caller's own: a driver that keeps them copies them. */
  byId: ReadonlyMap<string, Float32Array>;
  /** Zero when there are no vectors. */
  dimensions: number;
}

/**
 * Checks a put at the boundary, the same for every driver.
 *
 * @throws ArtificerError `usage/invalid-argument` naming the first id or vector that can't be; `storage/vector-mismatch` when they
 * differ in their dimensions.
 */
export function checkedVectors(set: StorageKey, entries: readonly VectorEntry[]): CheckedVectors {
  const byId = new Map<string, Float32Array>();
  let dimensions = 0;
  for (const { id, vector } of entries) {
    checkVectorId(id);
    checkVector(vector);
    dimensions ||= vector.length;
    checkDimensions(set, dimensions, vector);
    byId.set(id, vector);
  }
  return { byId, dimensions };
}

/** @throws ArtificerError `usage/invalid-argument` */
export function checkVectorId(id: string): void {
  if (typeof id !== "string" || id === "") throw invalid("The id of a vector must be a text that is not empty.");
  if (/\p{Surrogate}/u.test(id)) throw invalid(`${JSON.stringify(id)} can't be an id: it is no well-formed Unicode.`);
  if (id.length * 3 > maxVectorIdBytes && new TextEncoder().encode(id).byteLength > maxVectorIdBytes)
    throw invalid(`An id of ${id.length} characters is too long: ${maxVectorIdBytes} bytes are allowed.`);
}

/** @throws ArtificerError `usage/invalid-argument` for what is no unit vector. */
export function checkVector(vector: Float32Array): void {
  if (!(vector instanceof Float32Array) || vector.length < 1 || vector.length > maxDimensions)
    throw invalid(`A vector must be a Float32Array of 1 to ${maxDimensions} numbers.`);
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += vector[at]! * vector[at]!;
  const length = Math.sqrt(squares);
  // Not a number is not within anything.
  if (Math.abs(length - 1) <= lengthTolerance) return;
  throw invalid(
    Number.isFinite(length)
      ? `A vector must have the length 1, not ${length.toPrecision(3)}.`
      : "A vector must have finite numbers.",
    "Divide each number by the vector's length; a vector of zeros says nothing and is left out.",
  );
}

/** @throws ArtificerError `storage/vector-mismatch` */
export function checkDimensions(set: StorageKey, dimensions: number, vector: Float32Array): void {
  if (vector.length === dimensions) return;
  throw new ArtificerError(
    "storage/vector-mismatch",
    `The vectors of the set ${set} have ${dimensions} dimensions; this one has ${vector.length}.`,
    {
      details: { set, dimensions, given: vector.length },
      hint: "Keep the vectors of each model in a set of their own, or drop the set first.",
    },
  );
}

/** @returns the limit. @throws ArtificerError `usage/invalid-argument` when it is no whole number from 1 to `maxNearest`. */
export function nearestLimit({ limit = 10 }: NearestOptions = {}): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxNearest) return limit;
  throw invalid(`The limit of \`nearest\` must be a whole number from 1 to ${maxNearest}, not ${limit}.`);
}

function invalid(message: string, hint?: string): ArtificerError {
  return new ArtificerError("usage/invalid-argument", message, hint === undefined ? {} : { hint });
}

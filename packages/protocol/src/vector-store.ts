import type { StorageKey } from "./storage.js";

/** A vector and what it belongs to. */
export interface VectorEntry {
  /** Any well-formed text of 1 to `maxVectorIdBytes`; it is compared as it is. */
  id: string;
  /** Finite numbers; of length 1, but for rounding. */
  vector: Float32Array;
}

/** How alike a stored vector is. */
export interface VectorHit {
  id: string;
  /** The cosine of the two, from -1 to 1, computed from the stored numbers in full precision. */
  score: number;
}

export interface NearestOptions {
  /** Hits at most, a whole number from 1 to `maxNearest`; default 10. */
  limit?: number;
  signal?: AbortSignal;
}

/**
 * Named sets of unit vectors that the backend ranks itself. A set comes into being with its first vector, whose dimensions are then
 * those of the set; whoever puts vectors of several models keeps a set for each. A put whose promise was kept is seen by every
 * process. Sets are named like records, and have nothing else to do with them: they are in no listing and change no version.
 */
export interface VectorStore {
  /** Whether `nearest` may miss some of the nearest in a large set. What it gives is ordered by exact scores in any case. */
  readonly approximate: boolean;
  /**
   * Adds vectors, in place of those that have the same ids; of two with one id the later counts. Doing it twice is doing it once. What
   * fails or is aborted half-way may have put some of them, each whole.
   *
   * @throws ArtificerError `storage/vector-mismatch` when the set has other dimensions, and `usage/invalid-argument` for an id or vector
   * that can't be; then none was put.
   */
  put(set: StorageKey, entries: readonly VectorEntry[], options?: { signal?: AbortSignal }): Promise<void>;
  /** @returns those of the ids that are there, with the numbers that were put, but for rounding in the sixth digit. */
  get(
    set: StorageKey,
    ids: readonly string[],
    options?: { signal?: AbortSignal },
  ): Promise<ReadonlyMap<string, Float32Array>>;
  /** @returns those of the ids that are not there, in the order given, without their vectors being moved. */
  missing(set: StorageKey, ids: readonly string[], options?: { signal?: AbortSignal }): Promise<string[]>;
  /** @returns how many there were. */
  delete(set: StorageKey, ids: readonly string[], options?: { signal?: AbortSignal }): Promise<number>;
  /**
   * The vectors most like this one, the best first, equals in no order that can be relied upon. A set that is not there has none; one
   * that has fewer than the limit gives them all.
   *
   * @throws ArtificerError `storage/vector-mismatch` when the set has other dimensions.
   */
  nearest(set: StorageKey, vector: Float32Array, options?: NearestOptions): Promise<VectorHit[]>;
  /** @returns how many vectors a set has; none when it is not there. */
  count(set: StorageKey, options?: { signal?: AbortSignal }): Promise<number>;
  /** Removes a set with all its vectors; one of the same name may have other dimensions. @returns whether there was one. */
  drop(set: StorageKey, options?: { signal?: AbortSignal }): Promise<boolean>;
}

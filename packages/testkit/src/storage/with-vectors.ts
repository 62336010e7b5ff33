import assert from "node:assert/strict";
import type { VectorStore } from "@artificer/protocol";
import type { StorageCase, StorageHarness } from "./storage-harness.js";

/** Runs with the vectors of a storage that ranks them; what a storage does not declare it must not have. */
export function withVectors(run: (vectors: VectorStore, harness: StorageHarness) => Promise<void>): StorageCase["run"] {
  return async (harness) => {
    const { vectors, capabilities } = harness.storage;
    assert.equal(vectors !== undefined, capabilities.vectors);
    if (vectors !== undefined) await run(vectors, harness);
  };
}

/** The unit vector along one axis. */
export const axis = (at: number, dimensions = 3): Float32Array =>
  Float32Array.from({ length: dimensions }, (_, n) => (n === at ? 1 : 0));

export const idsOf = (hits: readonly { id: string }[]): string[] => hits.map(({ id }) => id);

/** @throws AssertionError when the numbers differ by more than rounding explains. */
export function near(actual: number | undefined, expected: number, why?: string): void {
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-4, `${actual} is not ${expected}${why ? `: ${why}` : ""}`);
}

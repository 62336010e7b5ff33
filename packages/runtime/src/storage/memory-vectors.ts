import {
  checkDimensions,
  checkedVectors,
  checkVector,
  checkVectorId,
  nearestLimit,
  storageKey,
  type VectorStore,
} from "@artificer/protocol";
import { createBestHits } from "../search/best-hits.js";
import { createVectorMatrix, type VectorMatrix } from "../search/vector-matrix.js";

interface VectorSet {
  dimensions: number;
  matrix: VectorMatrix;
  entries: Map<string, { row: number; vector: Float32Array }>;
}

/** Vectors in memory, ranked by an exact scan: the reference for the contract. */
export function createMemoryVectors(ready: (signal: AbortSignal | undefined) => void): VectorStore {
  const sets = new Map<string, VectorSet>();

  function remove(set: VectorSet, id: string): boolean {
    const entry = set.entries.get(id);
    if (entry === undefined) return false;
    set.matrix.free(entry.row);
    return set.entries.delete(id);
  }

  function lookUp(rawName: string, signal: AbortSignal | undefined): VectorSet | undefined {
    ready(signal);
    return sets.get(storageKey(rawName));
  }

  return {
    approximate: false,
    async put(rawName, given, { signal } = {}) {
      const known = lookUp(rawName, signal);
      const name = storageKey(rawName);
      const { byId, dimensions } = checkedVectors(name, given);
      const [first] = byId.values();
      if (first === undefined) return;
      if (known !== undefined) checkDimensions(name, known.dimensions, first);
      const set = known ?? { dimensions, matrix: createVectorMatrix(dimensions), entries: new Map() };
      sets.set(name, set);
      for (const [id, vector] of byId) {
        remove(set, id);
        const own = vector.slice();
        set.entries.set(id, { row: set.matrix.add(own), vector: own });
      }
    },
    async get(name, ids, { signal } = {}) {
      const set = lookUp(name, signal);
      ids.forEach(checkVectorId);
      const found = new Map<string, Float32Array>();
      for (const id of ids) {
        const entry = set?.entries.get(id);
        if (entry !== undefined) found.set(id, entry.vector.slice());
      }
      return found;
    },
    async missing(name, ids, { signal } = {}) {
      const set = lookUp(name, signal);
      ids.forEach(checkVectorId);
      return ids.filter((id) => set?.entries.has(id) !== true);
    },
    async delete(name, ids, { signal } = {}) {
      const set = lookUp(name, signal);
      ids.forEach(checkVectorId);
      if (set === undefined) return 0;
      return ids.filter((id) => remove(set, id)).length;
    },
    async nearest(name, vector, options = {}) {
      const set = lookUp(name, options.signal);
      const limit = nearestLimit(options);
      checkVector(vector);
      if (set === undefined) return [];
      checkDimensions(name, set.dimensions, vector);
      const cosines = set.matrix.scan(vector);
      const best = createBestHits(limit);
      for (const [id, { row }] of set.entries) best.offer(id, cosines[row]!);
      return best.hits;
    },
    async count(name, { signal } = {}) {
      return lookUp(name, signal)?.entries.size ?? 0;
    },
    async drop(name, { signal } = {}) {
      return lookUp(name, signal) !== undefined && sets.delete(storageKey(name));
    },
  };
}

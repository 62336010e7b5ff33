import type { SearchHit } from "./search-index.js";

/** Collects the best of many hits without sorting them all. */
export interface BestHits {
  offer(id: string, score: number): void;
  /** What has a lower score than this need not be offered. */
  readonly least: number;
  /** Best first; equals in the order of their ids, so that the same search gives the same answer. */
  readonly hits: SearchHit[];
}

export function createBestHits(limit: number): BestHits {
  const hits: SearchHit[] = [];
  const before = (id: string, score: number, other: SearchHit) =>
    score > other.score || (score === other.score && id < other.id);
  return {
    hits,
    get least() {
      return hits.length < limit
        ? Number.NEGATIVE_INFINITY
        : (hits[hits.length - 1]?.score ?? Number.POSITIVE_INFINITY);
    },
    offer(id, score) {
      if (limit < 1) return;
      if (hits.length >= limit && !before(id, score, hits[hits.length - 1]!)) return;
      let low = 0;
      let high = hits.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (before(id, score, hits[middle]!)) high = middle;
        else low = middle + 1;
      }
      hits.splice(low, 0, { id, score });
      if (hits.length > limit) hits.pop();
    },
  };
}

import { maxNearest } from "@artificer/protocol";
import type { Corpus } from "./corpus.js";
import type { StoredVectors } from "./stored-vectors.js";

/** Candidates that the store is asked for, at least. */
const leastCandidates = 200;
/** Candidates for each hit that is wanted: words and use may bring up what is not among the nearest. */
const candidatesPerHit = 8;

export interface ServeOptions {
  query: string;
  vector: Float32Array;
  /** Hits wanted in the end. */
  limit: number;
  signal?: AbortSignal;
}

/**
 * What a store that ranks vectors says of a query: the cosines of its nearest documents, and of those whose words may bring them among the
 * best all the same. With them documents get the very scores that they would get if all vectors were here, but for what the store misses.
 */
export async function serveQuery(
  stored: StoredVectors,
  corpus: Corpus,
  { query, vector, limit, signal }: ServeOptions,
): Promise<ReadonlyMap<string, number>> {
  const wanted = Math.min(maxNearest, Math.max(leastCandidates, candidatesPerHit * limit));
  let served = new Map<string, number>();
  // The store may hold vectors that no document has any more, or that are another session's: they must not crowd out ours.
  for (let asked = wanted; ; asked = Math.min(maxNearest, 4 * asked)) {
    served = await stored.nearest(vector, { limit: asked, signal });
    if (served.size < asked || asked === maxNearest || corpus.countKnown(served.keys()) >= wanted / 2) break;
  }
  const floor = Math.min(1, ...served.values());
  const promising = corpus.promising(query, vector, { limit, served, floor });
  const cosines = await stored.cosines(vector, promising, signal);
  for (const [mark, cosine] of cosines) served.set(mark, cosine);
  corpus.setLost(promising.filter((mark) => !cosines.has(mark)));
  return served;
}

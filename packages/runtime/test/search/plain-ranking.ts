import type { LearnedQuery } from "../../src/search/learned-queries.js";
import { rankingWeights as weights } from "../../src/search/ranking-weights.js";
import { requestWords } from "../../src/search/request-words.js";
import type { SearchDocument, SearchHit } from "../../src/search/search-index.js";
import { termsOf } from "../../src/search/terms-of.js";
import { createVectorMatrix } from "../../src/search/vector-matrix.js";
import { createPlainWordIndex } from "./plain-word-index.js";

/** What a corpus holds, as a ranking without any bookkeeping needs it. */
export interface PlainCorpus {
  documents: readonly SearchDocument[];
  learned: ReadonlyMap<string, readonly LearnedQuery[]>;
  /** Of document and query texts; what is in none has none. */
  vectors: ReadonlyMap<string, Float32Array>;
}

/** Ranks by the documented formula, with a sorted list of all: what the fast ranking must agree with. */
export function rankPlainly(corpus: PlainCorpus, query: string, vector: Float32Array | undefined, limit: number) {
  const { documents, learned, vectors } = corpus;
  const words = createPlainWordIndex();
  for (const [slot, document] of documents.entries())
    words.put(slot, termsIn(document, learned.get(document.id) ?? []));
  const terms = new Map(termsOf(query).map((term) => [term, requestWords.has(term) ? weights.requestWord : 1]));
  const scores = words.score(terms, documents.length);
  const scored = documents.map((document, slot) => {
    const own = vectors.get(document.text);
    const taught = (learned.get(document.id) ?? []).flatMap(({ text }) => vectors.get(text) ?? []);
    const both = own !== undefined && taught.length > 0 ? centroid(own, taught) : undefined;
    const ownCosine = cosine(own, vector);
    const usedCosine = both === undefined ? ownCosine : cosine(both, vector);
    const meaning = weights.own * ownCosine + (1 - weights.own) * usedCosine;
    const score = meaning + weights.words * scores[slot]!;
    const near = vector !== undefined && both !== undefined ? nearest(vector, taught) - usedCosine : 0;
    return { id: document.id, score, final: score + weights.nearest * near };
  });
  const candidates = sorted(scored.filter(({ score }) => score > 0)).slice(0, Math.max(50, 4 * limit));
  return sorted(candidates.map(({ id, final }) => ({ id, score: final }))).slice(0, limit);
}

function sorted<T extends SearchHit>(hits: readonly T[]): T[] {
  return [...hits].sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));
}

function termsIn(document: SearchDocument, learned: readonly LearnedQuery[]): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (text: string, weight: number) => {
    for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + weight);
  };
  count(document.text, 1);
  count(document.words, 1);
  for (const { text } of learned) count(text, weights.learnedWord);
  return counts;
}

function cosine(own: Float32Array | undefined, vector: Float32Array | undefined): number {
  if (own === undefined || vector === undefined) return 0;
  const matrix = createVectorMatrix(vector.length);
  // Whether a row is scanned with three others decides about its last bit.
  for (let row = 0; row < 4; row++) matrix.add(own);
  return matrix.scan(vector)[0]!;
}

function centroid(own: Float32Array, taught: readonly Float32Array[]): Float32Array {
  const sum = own.map((value) => value * weights.ownInCentroid);
  for (const vector of taught) for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]!;
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1;
  return sum.map((value) => value / length);
}

function nearest(vector: Float32Array, taught: readonly Float32Array[]): number {
  const cosines = taught
    .map((other) => other.reduce((sum, value, at) => sum + value * vector[at]!, 0))
    .sort((left, right) => right - left);
  return cosines.length === 1 ? cosines[0]! : (cosines[0]! + cosines[1]!) / 2;
}

import { createBestHits } from "./best-hits.js";
import type { LearnedQuery } from "./learned-queries.js";
import { rankingWeights as weights } from "./ranking-weights.js";
import { requestWords } from "./request-words.js";
import type { SearchDocument, SearchHit } from "./search-index.js";
import { termsOf } from "./terms-of.js";
import { createVectorMatrix, type VectorMatrix } from "./vector-matrix.js";
import { createWordIndex } from "./word-index.js";

/** The documents of an index in memory: what they say, their vectors, and the queries that led to them. */
export interface Corpus {
  /** Makes it hold exactly these; work is done only for those whose hash is new, and none for the very list that it has. */
  replace(documents: readonly SearchDocument[]): void;
  /** Sets what was learned of a document, which may be none of these yet. */
  learn(id: string, queries: readonly LearnedQuery[]): void;
  /** Texts of documents that lack a vector. */
  textsToEmbed(): string[];
  /** Learned queries of present documents that lack a vector. */
  queriesToEmbed(): string[];
  setVectors(role: "document" | "query", vectors: ReadonlyMap<string, Float32Array>): void;
  /** Best first; documents that nothing speaks for are left out. */
  rank(query: string, vector: Float32Array | undefined, limit: number): SearchHit[];
}

/** Documents, at least, whose learned queries are compared one by one: comparing all would take too long. */
const minCandidates = 50;

interface Entry {
  document: SearchDocument;
  slot: number;
  /** Row of its own vector. */
  row?: number;
  vector?: Float32Array;
  /** Row of the vector that stands for its text and learned queries together. */
  usedRow?: number;
  learned: Float32Array[];
}

export function createCorpus(): Corpus {
  const entries = new Map<string, Entry>();
  const bySlot: (Entry | undefined)[] = [];
  const freeSlots: number[] = [];
  const words = createWordIndex();
  const queries = new Map<string, readonly LearnedQuery[]>();
  const queryVectors = new Map<string, Float32Array>();
  let matrix: VectorMatrix | undefined;
  let current: readonly SearchDocument[] | undefined;
  // Whether each role was found complete since the last change: a search should not look at ten thousand documents for nothing.
  const complete = { document: true, query: true };

  function drop(entry: Entry): void {
    entries.delete(entry.document.id);
    words.remove(entry.slot);
    bySlot[entry.slot] = undefined;
    freeSlots.push(entry.slot);
    for (const row of [entry.row, entry.usedRow]) if (row !== undefined) matrix?.free(row);
  }

  function add(document: SearchDocument): void {
    const entry: Entry = { document, slot: freeSlots.pop() ?? bySlot.length, learned: [] };
    entries.set(document.id, entry);
    bySlot[entry.slot] = entry;
    index(entry);
  }

  function index(entry: Entry): void {
    const counts = new Map<string, number>();
    const count = (text: string, weight: number) => {
      for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + weight);
    };
    count(entry.document.text, 1);
    count(entry.document.words, 1);
    for (const query of queries.get(entry.document.id) ?? []) count(query.text, weights.learnedWord);
    words.put(entry.slot, counts);
  }

  /** Puts together what use has taught of a document's meaning. */
  function absorb(entry: Entry): void {
    const learned = (queries.get(entry.document.id) ?? []).flatMap(({ text }) => queryVectors.get(text) ?? []);
    entry.learned = learned;
    if (entry.usedRow !== undefined) matrix?.free(entry.usedRow);
    entry.usedRow = undefined;
    if (entry.vector === undefined || learned.length === 0) return;
    entry.usedRow = matrix?.add(centroid(entry.vector, learned));
  }

  return {
    replace(documents) {
      // The very same list: nothing to compare.
      if (documents === current) return;
      current = documents;
      complete.document = false;
      complete.query = false;
      const wanted = new Map(documents.map((document) => [document.id, document]));
      for (const entry of [...entries.values()])
        if (wanted.get(entry.document.id)?.hash !== entry.document.hash) drop(entry);
      for (const document of wanted.values()) if (!entries.has(document.id)) add(document);
    },
    learn(id, learned) {
      queries.set(id, learned);
      complete.query = false;
      const entry = entries.get(id);
      if (entry === undefined) return;
      index(entry);
      absorb(entry);
    },
    textsToEmbed() {
      if (complete.document) return [];
      const lacking = [...entries.values()].filter(({ vector }) => vector === undefined);
      complete.document = lacking.length === 0;
      return lacking.map(({ document }) => document.text);
    },
    queriesToEmbed() {
      if (complete.query) return [];
      const lacking: string[] = [];
      for (const id of entries.keys())
        for (const { text } of queries.get(id) ?? []) if (!queryVectors.has(text)) lacking.push(text);
      complete.query = lacking.length === 0;
      return lacking;
    },
    setVectors(role, vectors) {
      for (const vector of vectors.values()) matrix ??= createVectorMatrix(vector.length);
      if (role === "query") for (const [text, vector] of vectors) queryVectors.set(text, vector);
      for (const entry of entries.values()) {
        const vector = role === "document" && entry.vector === undefined ? vectors.get(entry.document.text) : undefined;
        if (vector !== undefined) {
          entry.vector = vector;
          entry.row = matrix!.add(vector);
        }
        const taught = (queries.get(entry.document.id) ?? []).some(({ text }) => queryVectors.has(text));
        if (taught && (vector !== undefined || role === "query")) absorb(entry);
      }
    },
    rank(query, vector, limit) {
      const terms = new Map(termsOf(query).map((term) => [term, requestWords.has(term) ? weights.requestWord : 1]));
      const scores = words.score(terms, bySlot.length);
      const cosines = vector === undefined ? undefined : matrix?.scan(vector);
      const candidates = createBestHits(Math.max(minCandidates, 4 * limit));
      // Ten thousand at each search: by slot, and an id is looked at only where the score may be among the best.
      for (let slot = 0; slot < bySlot.length; slot++) {
        const entry = bySlot[slot];
        if (entry === undefined) continue;
        const own = cosines === undefined || entry.row === undefined ? 0 : cosines[entry.row]!;
        const used = cosines === undefined || entry.usedRow === undefined ? own : cosines[entry.usedRow]!;
        const meaning = weights.own * own + (1 - weights.own) * used;
        const score = meaning + weights.words * scores[slot]!;
        if (score > 0 && score >= candidates.least) candidates.offer(entry.document.id, score);
      }
      const hits = createBestHits(limit);
      for (const { id, score } of candidates.hits) {
        const entry = entries.get(id)!;
        if (vector === undefined || entry.usedRow === undefined) hits.offer(id, score);
        else hits.offer(id, score + weights.nearest * (nearest(vector, entry.learned) - cosines![entry.usedRow]!));
      }
      return hits.hits;
    },
  };
}

/** The mean cosine of the query with the two learned queries most like it. */
function nearest(vector: Float32Array, learned: readonly Float32Array[]): number {
  let first = -1;
  let second = -1;
  for (const other of learned) {
    let cosine = 0;
    for (let at = 0; at < vector.length; at++) cosine += vector[at]! * other[at]!;
    if (cosine > first) [first, second] = [cosine, first];
    else if (cosine > second) second = cosine;
  }
  return learned.length === 1 ? first : (first + second) / 2;
}

/** The direction between a document's vector and those of the queries that led to it. */
function centroid(own: Float32Array, learned: readonly Float32Array[]): Float32Array {
  const sum = own.map((value) => value * weights.ownInCentroid);
  for (const vector of learned) for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]!;
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1;
  return sum.map((value) => value / length);
}

import { createBestHits } from "./best-hits.js";
import { documentMark } from "./document-mark.js";
import { centroid, nearest } from "./learned-meaning.js";
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
  /** How many documents there are. */
  readonly size: number;
  /** Texts of documents that lack a vector here: of all, or of those alone that somebody learned a query for. */
  textsToEmbed(which?: "all" | "learned"): string[];
  /** Texts of documents that have a vector neither here nor, as far as is known, in the store. */
  textsToStore(): string[];
  setStored(texts: readonly string[]): void;
  /** Takes it that the store has lost these. */
  setLost(marks: readonly string[]): void;
  /** Marks of texts that no document has any more, since it was last asked. */
  takeGone(): string[];
  /** Learned queries of present documents that lack a vector. */
  queriesToEmbed(): string[];
  setVectors(role: "document" | "query", vectors: ReadonlyMap<string, Float32Array>): void;
  /** How many of these marks are those of documents. */
  countKnown(marks: Iterable<string>): number;
  /**
   * Documents whose words may bring them among the best, when all that is known of their cosine is that it is no greater than `floor`.
   *
   * @returns their marks, those with most words in common first.
   */
  promising(query: string, vector: Float32Array, options: ServedRanking & { limit: number; floor: number }): string[];
  /** Best first; documents that nothing speaks for are left out. */
  rank(
    query: string,
    vector: Float32Array | undefined,
    options: Partial<ServedRanking> & { limit: number },
  ): SearchHit[];
}

/** What a store that ranks vectors said of a query. */
export interface ServedRanking {
  /** Cosines by the marks of documents, for those without a vector here. */
  served: ReadonlyMap<string, number>;
}

/** Documents, at most, whose vectors are asked for because of their words. */
const maxPromising = 128;

/** Documents, at least, whose learned queries are compared one by one: comparing all would take too long. */
const minCandidates = 50;

interface Entry {
  document: SearchDocument;
  slot: number;
  /** Row of its own vector. */
  row?: number;
  vector?: Float32Array;
  /** What its text's vector is known by in a store; computed when it is asked for. */
  mark?: string;
  /** Whether the store has its vector. */
  stored?: boolean;
  /** Row of the vector that stands for its text and learned queries together. */
  usedRow?: number;
  learned: Float32Array[];
}

export interface CorpusOptions {
  /** Whether `takeGone` will be asked. */
  keepsGone?: boolean;
}

export function createCorpus({ keepsGone = false }: CorpusOptions = {}): Corpus {
  const entries = new Map<string, Entry>();
  const bySlot: (Entry | undefined)[] = [];
  const freeSlots: number[] = [];
  const words = createWordIndex();
  const queries = new Map<string, readonly LearnedQuery[]>();
  const queryVectors = new Map<string, Float32Array>();
  let matrix: VectorMatrix | undefined;
  let current: readonly SearchDocument[] | undefined;
  // Whether each role was found complete since the last change: a search should not look at ten thousand documents for nothing.
  const complete = { document: true, learned: true, stored: true, query: true };
  /** By mark; made when it is first asked for. */
  let marks: Map<string, Set<Entry>> | undefined;
  const gone = new Set<string>();

  function mark(entry: Entry): string {
    entry.mark ??= documentMark(entry.document.text);
    return entry.mark;
  }

  function addMark(entry: Entry): void {
    if (marks === undefined) return;
    const same = marks.get(mark(entry)) ?? new Set();
    same.add(entry);
    marks.set(mark(entry), same);
  }

  function byMark(): Map<string, Set<Entry>> {
    if (marks === undefined) {
      marks = new Map();
      for (const entry of entries.values()) addMark(entry);
    }
    return marks;
  }

  function drop(entry: Entry): void {
    entries.delete(entry.document.id);
    words.remove(entry.slot);
    bySlot[entry.slot] = undefined;
    freeSlots.push(entry.slot);
    for (const row of [entry.row, entry.usedRow]) if (row !== undefined) matrix?.free(row);
    const same = marks?.get(mark(entry));
    if (same?.delete(entry) && same.size === 0) marks?.delete(mark(entry));
    if (keepsGone) gone.add(mark(entry));
  }

  function add(document: SearchDocument): void {
    const entry: Entry = { document, slot: freeSlots.pop() ?? bySlot.length, learned: [] };
    entries.set(document.id, entry);
    bySlot[entry.slot] = entry;
    addMark(entry);
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

  const scoresOf = (query: string) =>
    words.score(
      new Map(termsOf(query).map((term) => [term, requestWords.has(term) ? weights.requestWord : 1])),
      bySlot.length,
    );

  /** The cosines of documents without a vector here, by slot; not a number where nothing is known. */
  function servedBySlot(served: ReadonlyMap<string, number> | undefined): Float32Array | undefined {
    if (served === undefined) return undefined;
    const bySlots = new Float32Array(bySlot.length).fill(Number.NaN);
    for (const [key, cosine] of served) for (const entry of byMark().get(key) ?? []) bySlots[entry.slot] = cosine;
    return bySlots;
  }

  /** What a document means to a query by its vectors; nothing when nothing is known. */
  function meaningOf(entry: Entry, cosines: Float32Array | undefined, served: Float32Array | undefined): number {
    const here = entry.row === undefined ? served?.[entry.slot] : cosines?.[entry.row];
    const own = here === undefined || Number.isNaN(here) ? 0 : here;
    const used = entry.usedRow === undefined ? own : (cosines?.[entry.usedRow] ?? 0);
    return weights.own * own + (1 - weights.own) * used;
  }

  const lacking = (which: (entry: Entry) => boolean) =>
    [...entries.values()].filter(which).map(({ document }) => document.text);

  return {
    get size() {
      return entries.size;
    },
    replace(documents) {
      // The very same list: nothing to compare.
      if (documents === current) return;
      current = documents;
      Object.assign(complete, { document: false, learned: false, stored: false, query: false });
      const wanted = new Map(documents.map((document) => [document.id, document]));
      for (const entry of [...entries.values()])
        if (wanted.get(entry.document.id)?.hash !== entry.document.hash) drop(entry);
      for (const document of wanted.values()) if (!entries.has(document.id)) add(document);
    },
    learn(id, learned) {
      queries.set(id, learned);
      complete.query = false;
      complete.learned = false;
      const entry = entries.get(id);
      if (entry === undefined) return;
      index(entry);
      absorb(entry);
    },
    textsToEmbed(which = "all") {
      const kind = which === "all" ? "document" : "learned";
      if (complete[kind]) return [];
      const isWanted = ({ document }: Entry) => which === "all" || (queries.get(document.id)?.length ?? 0) > 0;
      const texts = lacking((entry) => entry.vector === undefined && isWanted(entry));
      complete[kind] = texts.length === 0;
      return texts;
    },
    textsToStore() {
      if (complete.stored) return [];
      const texts = lacking(({ vector, stored }) => vector === undefined && stored !== true);
      complete.stored = texts.length === 0;
      return texts;
    },
    setStored(texts) {
      const known = byMark();
      for (const text of texts) for (const entry of known.get(documentMark(text)) ?? []) entry.stored = true;
    },
    setLost(lost) {
      for (const key of lost) for (const entry of byMark().get(key) ?? []) entry.stored = false;
      if (lost.length > 0) complete.stored = false;
    },
    takeGone() {
      const known = gone.size === 0 ? undefined : byMark();
      const texts = [...gone].filter((key) => !known?.has(key));
      gone.clear();
      return texts;
    },
    countKnown(asked) {
      let count = 0;
      for (const key of asked) if (byMark().has(key)) count++;
      return count;
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
    promising(query, vector, { limit, served, floor }) {
      const scores = scoresOf(query);
      const cosines = matrix?.scan(vector);
      const bySlots = servedBySlot(served)!;
      const best = createBestHits(limit);
      const unknown: Entry[] = [];
      for (const entry of entries.values()) {
        const isUnknown = entry.row === undefined && Number.isNaN(bySlots[entry.slot]!);
        if (isUnknown && scores[entry.slot]! > 0) unknown.push(entry);
        const known = isUnknown ? 0 : meaningOf(entry, cosines, bySlots);
        best.offer(entry.document.id, known + weights.words * scores[entry.slot]!);
      }
      const least = best.hits.length < limit ? Number.NEGATIVE_INFINITY : best.hits.at(-1)!.score;
      const hopeful = unknown.filter(({ slot }) => floor + weights.words * scores[slot]! >= least);
      hopeful.sort((left, right) => scores[right.slot]! - scores[left.slot]!);
      return [...new Set(hopeful.slice(0, maxPromising).map(mark))];
    },
    rank(query, vector, { limit, served }) {
      const scores = scoresOf(query);
      const cosines = vector === undefined ? undefined : matrix?.scan(vector);
      const bySlots = servedBySlot(served);
      const candidates = createBestHits(Math.max(minCandidates, 4 * limit));
      // Ten thousand at each search: by slot, and an id is looked at only where the score may be among the best.
      for (let slot = 0; slot < bySlot.length; slot++) {
        const entry = bySlot[slot];
        if (entry === undefined) continue;
        const score = meaningOf(entry, cosines, bySlots) + weights.words * scores[slot]!;
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

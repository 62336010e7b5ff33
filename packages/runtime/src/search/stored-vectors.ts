import {
  type Embedder,
  type EmbedOptions,
  type Storage,
  storageKey,
  type VectorEntry,
  type VectorStore,
} from "@artificer/protocol";
import { textMark } from "./document-mark.js";
import { oneAtATime } from "./stored/one-at-a-time.js";
import { modelFolder, type VectorCache } from "./vector-cache.js";

type EmbedRole = NonNullable<EmbedOptions["role"]>;

interface Wanted {
  role: EmbedRole;
  signal?: AbortSignal;
}

export interface StoredVectorsOptions {
  storage: Storage;
  vectors: VectorStore;
  /** Keys begin with it. */
  prefix: string;
  embedder: Embedder;
  /** What was kept in blobs, before the storage could rank vectors: taken over instead of being computed again. */
  blobs: VectorCache;
  onProblem: (message: string) => void;
}

/** Vectors of texts in a store that ranks them, computed once for all sessions and processes. */
export interface StoredVectors extends VectorCache {
  /**
   * Sees that the store has a vector of each text, without reading those that it has.
   *
   * @returns the vectors that it can't have, by text.
   */
  ensure(texts: readonly string[], options: Wanted): Promise<ReadonlyMap<string, Float32Array>>;
  /** Those of the texts that neither the store nor this process has a vector of. */
  lacking(texts: readonly string[], options: Wanted): Promise<string[]>;
  /** Cosines of the documents most like a query, by their marks. */
  nearest(vector: Float32Array, options: { limit: number; signal?: AbortSignal }): Promise<Map<string, number>>;
  /** Cosines of these documents, by their marks; those that are there. */
  cosines(vector: Float32Array, marks: readonly string[], signal?: AbortSignal): Promise<Map<string, number>>;
  forget(marks: readonly string[]): Promise<void>;
}

/** Documents and queries have a set each: queries would crowd documents out of the nearest. */
export function createStoredVectors(options: StoredVectorsOptions): StoredVectors {
  const { storage, vectors: store, prefix, embedder, blobs, onProblem } = options;
  const folder = storageKey(`${prefix}/${modelFolder(embedder.model)}`);
  const setOf = (role: EmbedRole) => `${folder}/${role === "document" ? "documents" : "queries"}`;
  // What no store can have: vectors of zeros, and those that it did not take.
  const own = new Map<string, Float32Array>();

  const marked = (texts: readonly string[], role: EmbedRole) =>
    new Map(texts.map((text) => [textMark(role, text), text]));

  /** Those of the marks that neither the store nor this process has. */
  async function missing(marks: Iterable<string>, { role, signal }: Wanted): Promise<string[]> {
    return store.missing(
      setOf(role),
      [...marks].filter((mark) => !own.has(mark)),
      { signal },
    );
  }

  async function compute(texts: ReadonlyMap<string, string>, { role, signal }: Wanted): Promise<void> {
    const known = await blobs.stored([...texts.values()], { role, signal });
    const unknown = [...texts.values()].filter((text) => !known.has(text));
    const embedded = unknown.length === 0 ? [] : await embedder.embed(unknown, { role, signal });
    const computed = new Map(unknown.map((text, at) => [text, embedded[at] ?? new Float32Array()]));
    const entries: VectorEntry[] = [];
    for (const [id, text] of texts) {
      const vector = known.get(text) ?? computed.get(text)!;
      const unit = vector.length === embedder.dimensions ? unitOf(vector) : undefined;
      if (unit === undefined) own.set(id, vector);
      else entries.push({ id, vector: unit });
    }
    try {
      await store.put(setOf(role), entries, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      for (const { id, vector } of entries) own.set(id, vector);
      const why = error instanceof Error ? error.message : String(error);
      // They can be had again: a full or read-only store must not stop a search.
      onProblem(`Vectors could not be stored and will be computed again in the next session: ${why}`);
    }
  }

  /** Computes what nobody has yet. */
  async function fill(wanted: ReadonlyMap<string, string>, options: Wanted): Promise<void> {
    let lacking = await missing(wanted.keys(), options);
    if (lacking.length === 0) return;
    const isDone = async () => {
      lacking = await missing(lacking, options);
      return lacking.length === 0;
    };
    const work = () => compute(new Map(lacking.map((mark) => [mark, wanted.get(mark)!])), options);
    await oneAtATime(storage, `${folder}/embedding`, work, { signal: options.signal, isDone });
  }

  return {
    async stored(texts, wanted) {
      const byMark = marked(texts, wanted.role);
      const found = await store.get(setOf(wanted.role), [...byMark.keys()], { signal: wanted.signal });
      return new Map([...found].map(([mark, vector]) => [byMark.get(mark)!, vector]));
    },
    async vectors(texts, wanted) {
      const marks = texts.map((text) => textMark(wanted.role, text));
      const found = new Map<string, Float32Array>();
      const lacking = () => texts.filter((_, at) => !found.has(marks[at]!) && !own.has(marks[at]!));
      const look = async () => {
        const asked = [...marked(lacking(), wanted.role).keys()];
        if (asked.length === 0) return;
        const vectors = await store.get(setOf(wanted.role), asked, { signal: wanted.signal });
        for (const [mark, vector] of vectors) found.set(mark, vector);
      };
      await look();
      if (lacking().length > 0) await fill(marked(lacking(), wanted.role), wanted);
      await look();
      return marks.map((mark) => own.get(mark) ?? found.get(mark)!);
    },
    async lacking(texts, wanted) {
      const byMark = marked(texts, wanted.role);
      return (await missing(byMark.keys(), wanted)).map((mark) => byMark.get(mark)!);
    },
    async ensure(texts, wanted) {
      const byMark = marked(texts, wanted.role);
      await fill(byMark, wanted);
      const kept = [...byMark].filter(([mark]) => own.has(mark));
      return new Map(kept.map(([mark, text]) => [text, own.get(mark)!]));
    },
    async nearest(vector, { limit, signal }) {
      const unit = unitOf(vector);
      if (unit === undefined) return new Map();
      const hits = await store.nearest(setOf("document"), unit, { limit, signal });
      return new Map(hits.map(({ id, score }) => [id, score]));
    },
    async cosines(vector, marks, signal) {
      const unit = unitOf(vector);
      if (unit === undefined || marks.length === 0) return new Map();
      const vectors = await store.get(setOf("document"), marks, { signal });
      return new Map([...vectors].map(([mark, other]) => [mark, dot(unit, other)]));
    },
    async forget(marks) {
      await store.delete(setOf("document"), marks);
    },
  };
}

/** The same direction with the length 1; undefined when it has none. */
function unitOf(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length)) return undefined;
  return Math.abs(length - 1) < 1e-3 ? vector : vector.map((value) => value / length);
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!;
  return sum;
}

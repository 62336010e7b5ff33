import { ArtificerError, type Embedder, type Storage, toArtificerError } from "@artificer/protocol";
import type { Corpus } from "./corpus.js";
import { serveQuery } from "./serve-query.js";
import { createStoredVectors } from "./stored-vectors.js";
import { createVectorCache } from "./vector-cache.js";

/** Texts that a store is asked for at a time. */
const largeBatch = 5_000;
/** Vectors computed and stored at a time: what is done stays done when the next batch fails or is cancelled. */
const batch = 256;

export interface MeaningOptions {
  storage: Storage;
  prefix: string;
  embedder: Embedder | undefined;
  corpus: Corpus;
  /** Documents up to which all vectors are held here and compared exactly; beyond, a storage that can ranks them. */
  maxInMemory: number;
  /** Whether vectors that no document here has any more are nobody's, and are deleted. */
  ownsVectors: boolean;
  onProblem: (message: string) => void;
}

/** A query as it is ranked by. */
export interface QueryMeaning {
  /** Undefined when words must do. */
  vector: Float32Array | undefined;
  /** What the storage says of it, when it ranks. */
  served?: ReadonlyMap<string, number>;
}

/** Keeps the corpus supplied with vectors as far as there is an embedder that works. */
export interface Meaning {
  /** Gives every document and learned query that lacks a vector one. */
  update(signal?: AbortSignal): Promise<void>;
  /** Embeds a text that is about to be told to others, so that none of them has to. */
  prepare(text: string, role: "document" | "query", signal?: AbortSignal): Promise<void>;
  ofQuery(query: string, options: { limit: number; signal?: AbortSignal }): Promise<QueryMeaning>;
}

export function createMeaning(options: MeaningOptions): Meaning {
  const { storage, prefix, embedder, corpus, maxInMemory, ownsVectors, onProblem } = options;
  if (embedder === undefined) {
    onProblem(
      "No embedder is configured: search goes by words only, so a description must share a word with the query.",
    );
    return { update: async () => {}, prepare: async () => {}, ofQuery: async () => ({ vector: undefined }) };
  }
  const blobs = createVectorCache({ storage, prefix, embedder, onProblem });
  const { vectors } = storage;
  const stored = vectors && createStoredVectors({ storage, vectors, prefix, embedder, blobs, onProblem });
  const cache = stored ?? blobs;
  /** The store that ranks, while there is more than is ranked here. */
  const server = () => (corpus.size > maxInMemory ? stored : undefined);
  const canDoWithout = (code: string) =>
    code.startsWith("embedder/") || (stored !== undefined && code.startsWith("storage/") && code !== "storage/closed");

  /** Runs what needs the embedder, or a store that ranks; its failure is told and leaves words to decide. */
  async function attempt<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
    try {
      return await work();
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = toArtificerError(thrown, "embedder/failed");
      if (!canDoWithout(error.code)) throw thrown;
      onProblem(["Search goes by words only for now.", error.message, error.hint].filter(Boolean).join(" "));
      return undefined;
    }
  }

  async function pull(role: "document" | "query", texts: readonly string[], signal?: AbortSignal): Promise<void> {
    const all = new Map<string, Float32Array>();
    try {
      for (const some of batches([...new Set(texts)], batch)) {
        signal?.throwIfAborted();
        const found = await cache.vectors(some, { role, signal });
        for (const [at, text] of some.entries()) all.set(text, checked(found[at], embedder!));
      }
    } finally {
      // Once, since it goes through all documents.
      if (all.size > 0) corpus.setVectors(role, all);
    }
  }

  /** Sees that the store can rank all documents; here only those are held that somebody learned a query for. */
  async function updateServed(server: NonNullable<typeof stored>, signal?: AbortSignal): Promise<void> {
    const lacking: string[] = [];
    for (const some of batches([...new Set(corpus.textsToStore())], largeBatch)) {
      const unknown = new Set(await server.lacking(some, { role: "document", signal }));
      corpus.setStored(some.filter((text) => !unknown.has(text)));
      lacking.push(...unknown);
    }
    const kept = new Map<string, Float32Array>();
    try {
      for (const some of batches(lacking, batch)) {
        signal?.throwIfAborted();
        const here = await server.ensure(some, { role: "document", signal });
        for (const [text, vector] of here) kept.set(text, checked(vector, embedder!));
        corpus.setStored(some.filter((text) => !here.has(text)));
      }
    } finally {
      if (kept.size > 0) corpus.setVectors("document", kept);
    }
    await pull("document", corpus.textsToEmbed("learned"), signal);
  }

  /** What is left over does no harm but to take room, since a search looks past it. */
  async function forgetGone(): Promise<void> {
    const gone = ownsVectors ? corpus.takeGone() : [];
    if (gone.length > 0) await stored?.forget(gone).catch(() => {});
  }

  return {
    async update(signal) {
      await attempt(async () => {
        const ranking = server();
        if (ranking === undefined) await pull("document", corpus.textsToEmbed(), signal);
        else await updateServed(ranking, signal);
        await pull("query", corpus.queriesToEmbed(), signal);
      }, signal);
      await forgetGone();
    },
    async prepare(text, role, signal) {
      await attempt(
        async () => void (await (stored?.ensure([text], { role, signal }) ?? blobs.vectors([text], { role, signal }))),
        signal,
      );
    },
    async ofQuery(query, { limit, signal }) {
      const found = await attempt(async (): Promise<QueryMeaning> => {
        const vector = checked((await embedder.embed([query], { role: "query", signal }))[0], embedder);
        const ranking = server();
        if (ranking === undefined) return { vector };
        return { vector, served: await serveQuery(ranking, corpus, { query, vector, limit, signal }) };
      }, signal);
      return found ?? { vector: undefined };
    },
  };
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

function checked(vector: Float32Array | undefined, embedder: Embedder): Float32Array {
  if (vector?.length === embedder.dimensions) return vector;
  throw new ArtificerError(
    "embedder/failed",
    `The embedder ${embedder.model} gave a vector of ${vector?.length ?? 0} dimensions.`,
    {
      details: { model: embedder.model, dimensions: embedder.dimensions },
      hint: "Its declared dimensions and its vectors must agree; take another embedder or mend this one.",
    },
  );
}

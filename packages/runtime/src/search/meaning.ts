import { ArtificerError, type Embedder, type Storage, toArtificerError } from "@artificer/protocol";
import type { Corpus } from "./corpus.js";
import { createVectorCache } from "./vector-cache.js";

/** Vectors computed and stored at a time: what is done stays done when the next batch fails or is cancelled. */
const batch = 256;

export interface MeaningOptions {
  storage: Storage;
  prefix: string;
  embedder: Embedder | undefined;
  corpus: Corpus;
  onProblem: (message: string) => void;
}

/** Keeps the corpus supplied with vectors as far as there is an embedder that works. */
export interface Meaning {
  /** Gives every document and learned query that lacks a vector one. */
  update(signal?: AbortSignal): Promise<void>;
  /** Embeds a text that is about to be told to others, so that none of them has to. */
  prepare(text: string, role: "document" | "query", signal?: AbortSignal): Promise<void>;
  /** @returns undefined when words must do. */
  ofQuery(query: string, signal?: AbortSignal): Promise<Float32Array | undefined>;
}

export function createMeaning({ storage, prefix, embedder, corpus, onProblem }: MeaningOptions): Meaning {
  if (embedder === undefined) {
    onProblem(
      "No embedder is configured: search goes by words only, so a description must share a word with the query.",
    );
    return { update: async () => {}, prepare: async () => {}, ofQuery: async () => undefined };
  }
  const cache = createVectorCache({ storage, prefix, embedder, onProblem });

  /** Runs what needs the embedder; its failure is told and leaves words to decide. */
  async function attempt<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
    try {
      return await work();
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = toArtificerError(thrown, "embedder/failed");
      if (!error.code.startsWith("embedder/")) throw thrown;
      onProblem(["Search goes by words only for now.", error.message, error.hint].filter(Boolean).join(" "));
      return undefined;
    }
  }

  async function updateRole(role: "document" | "query", signal: AbortSignal | undefined): Promise<void> {
    const texts = [...new Set(role === "document" ? corpus.textsToEmbed() : corpus.queriesToEmbed())];
    const found = new Map<string, Float32Array>();
    try {
      for (let start = 0; start < texts.length; start += batch) {
        signal?.throwIfAborted();
        const some = texts.slice(start, start + batch);
        const vectors = await cache.vectors(some, { role, signal });
        for (const [at, text] of some.entries()) found.set(text, checked(vectors[at]!, embedder!));
      }
    } finally {
      // Once, since it goes through all documents.
      if (found.size > 0) corpus.setVectors(role, found);
    }
  }

  return {
    async update(signal) {
      await attempt(async () => {
        await updateRole("document", signal);
        await updateRole("query", signal);
      }, signal);
    },
    async prepare(text, role, signal) {
      await attempt(() => cache.vectors([text], { role, signal }), signal);
    },
    ofQuery: (query, signal) =>
      attempt(async () => checked((await embedder.embed([query], { role: "query", signal }))[0], embedder), signal),
  };
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

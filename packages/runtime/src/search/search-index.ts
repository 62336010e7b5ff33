/** One thing to be found. */
export interface SearchDocument {
  id: string;
  /** Changes exactly when `text` or `words` do; what has the same hash is never embedded again. */
  hash: string;
  /** What it means, in a sentence or two: embedded. */
  text: string;
  /** More words to match by: names, tags, parameters. */
  words: string;
}

export interface SearchHit {
  id: string;
  score: number;
}

/** Ranks documents by one score over words (BM25), meaning (embeddings) and use (queries that led to a success). */
export interface SearchIndex {
  /**
   * Makes the index hold exactly these documents, and takes in what other processes learned, while the documents are still awaited if they
   * are; embeds only what is new or changed. The very list of the last time costs nothing: give another one when something is.
   */
  sync(
    documents: readonly SearchDocument[] | Promise<readonly SearchDocument[]>,
    options?: { signal?: AbortSignal },
  ): Promise<void>;
  /** Embeds a document that is about to be told to others, so that every process finds its vector there already. */
  prepare(document: Pick<SearchDocument, "text">, options?: { signal?: AbortSignal }): Promise<void>;
  search(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<SearchHit[]>;
  /** Learns that this query led to a successful use of the document. */
  learn(id: string, query: string): Promise<void>;
  /** What works less than fully and why: no embedder, say. */
  readonly notices: readonly string[];
}

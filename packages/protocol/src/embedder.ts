/** Turns texts into unit vectors. Vectors of different models are never compared. */
export interface Embedder {
  /** Identifies model and version; stored with every vector. */
  readonly model: string;
  readonly dimensions: number;
  /** @returns one unit vector a text, in order. @throws ArtificerError `embedder/unavailable`, `embedder/failed` */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  close?(): Promise<void>;
}

export interface EmbedOptions {
  /**
   * What the texts are for: a `document` is to be found, a `query` finds. Models that do better when told use it (by a
   * prompt, mostly); the others treat both alike. Vectors of both roles are comparable.
   */
  role?: "document" | "query";
  signal?: AbortSignal;
}

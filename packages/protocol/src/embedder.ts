/** Turns texts into unit vectors. Vectors of different models are never compared. */
export interface Embedder {
  /** Identifies model and version; stored with every vector. */
  readonly model: string;
  readonly dimensions: number;
  /** @returns one unit vector a text, in order. @throws ArtificerError `embedder/unavailable`, `embedder/failed` */
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
  close?(): Promise<void>;
}

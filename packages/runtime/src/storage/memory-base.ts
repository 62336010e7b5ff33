/** What the two stores in memory share. */
export interface MemoryBase {
  /** @throws ArtificerError `storage/closed`; the signal's own reason when it has fired. */
  ready(signal: AbortSignal | undefined): void;
  nextRevision(): string;
  /** Told of each key that was written or deleted. */
  changed(key: string): void;
}

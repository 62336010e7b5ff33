/** One thing that another program kept, as it lies there. */
export interface PredecessorItem {
  kind: "skill" | "tool" | "artifact" | "deps";
  /** As it is called there. */
  name: string;
  /** Where it lies, for messages. */
  source: string;
  text?: string;
  bytes?: Uint8Array;
  description?: string;
  /** Of artifacts: what the index says beside. */
  metadata?: Record<string, unknown>;
  createdAt?: string;
}

/** What another program kept, read and not changed. What can't be read is told. */
export interface PredecessorSource {
  location: string;
  items: AsyncIterable<PredecessorItem>;
  close(): Promise<void>;
}

/** What became of an item on its way. */
export interface ImportedItem {
  kind: PredecessorItem["kind"];
  name: string;
  source: string;
  /** What it is called here; absent when it was left out. */
  id?: string;
  /** What was changed, or why it was left out. */
  notes: string[];
}

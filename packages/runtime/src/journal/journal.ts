import type { JsonObject, Language, OutcomeData, Page, ToolCallRecord } from "@artificer/protocol";

/** What is written down, in the order it happened. */
export type JournalDraft =
  | { kind: "cell"; cell: number; language: Language; code: string; author?: string }
  | { kind: "tool-call"; cell: number; call: ToolCallRecord }
  | { kind: "outcome"; outcome: OutcomeData };

/** What can be read again. `lost` stands where entries could not be kept, and says how many. */
export interface JournalEntry {
  /** From 1, without gaps; the first ones may have been let go of where the storage does not outlive the process. */
  seq: number;
  at: Date;
  kind: JournalDraft["kind"] | "lost";
  /** 0 where it belongs to no cell. */
  cell: number;
  data: JsonObject;
}

/** The record of a session: cells, tool calls, outcomes, in order. */
export interface Journal {
  /** Takes the entry and returns at once; it is written soon, with others. Never throws. After `close` it does nothing. */
  append(draft: JournalDraft): void;
  /** Entries in order, those not yet written included when they can be written. `cursor` and `limit` (default 1000) are as in listings. */
  read(options?: { cursor?: string; limit?: number; signal?: AbortSignal }): Promise<Page<JournalEntry>>;
  /** Resolves when what was appended is written, or can't be: then `onProblem` was told. */
  flush(): Promise<void>;
  /** Flushes once more. Idempotent, never throws. */
  close(): Promise<void>;
}

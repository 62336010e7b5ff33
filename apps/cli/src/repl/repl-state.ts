import type { Language } from "@artificer/protocol";

/** What a read-eval-print loop remembers while it goes. */
export interface ReplState {
  language: Language;
  /** The cells that ran, oldest first. */
  readonly cells: { code: string; language: Language }[];
}

import type { Display, Language, OutputChunk, ToolProgress, Truncation } from "@artificer/protocol";
import type { Kernel } from "../kernel/kernel.js";
import type { RedactionTally } from "../redaction/redaction-tally.js";
import type { CellClock } from "./cell-clock.js";
import type { OutputCapture } from "./output-capture.js";
import type { ToolCallLog } from "./tool-call-log.js";

/** How far a tool call has come, as its tool tells it. */
export interface CellToolProgress extends ToolProgress {
  /** `toolkit.tool`. */
  tool: string;
  cell: number;
}

/** A cell that is running: what its kernel's requests, notices and output are added to. */
export interface ActiveCell {
  readonly cell: number;
  readonly code: string;
  readonly language: Language;
  readonly kernel: Kernel;
  readonly capture: OutputCapture;
  readonly clock: CellClock;
  readonly toolCalls: ToolCallLog;
  readonly displays: Display[];
  readonly onDisplay: ((display: Display) => void) | undefined;
  /** Told how far tool calls of this cell have come. */
  readonly onToolProgress: ((progress: CellToolProgress) => void) | undefined;
  /** Names under which the cell has shared values. */
  readonly shared: string[];
  readonly notices: string[];
  /** Displays that were left out. */
  readonly truncated: Truncation[];
  readonly background: OutputChunk[];
  /** Takes secrets and terminal escapes out of a text, and counts them for the outcome. */
  redact(text: string): string;
  readonly redactions: RedactionTally;
}

import type { ErrorCode } from "./errors/error-codes.js";
import type { JsonValue } from "./json.js";
import type { EffectClass } from "./toolkit.js";
import type { Reference, Value } from "./values/value.js";

/** The languages that cells are written in. */
export type Language = "python" | "typescript";

/** How a cell ended. Exactly one of these. */
export type OutcomeStatus = "completed" | "failed" | "timed-out" | "interrupted" | "crashed" | "refused";

export type StreamName = "stdout" | "stderr";

/** A piece of output, in the order it was written. */
export interface OutputChunk {
  stream: StreamName;
  text: string;
}

/** Something shown: an image, a table, a page. MIME types to text or bytes. */
export interface Display {
  data: Record<string, string | Uint8Array>;
  metadata: Record<string, Value>;
  /** What it can be updated by, when the cell gave it an id; live, a display of an id that was there before takes its place. */
  id?: string;
}

/** What a dry run would have done. */
export interface PlannedCall {
  effect: EffectClass;
  /** The arguments as JSON, secrets redacted. */
  args: JsonValue;
  /** Whether a person would have been asked first. */
  wouldAsk: boolean;
}

/** One tool call that a cell made, and whether it reached its tool. `planned`: a dry run stopped it on purpose. */
export interface ToolCallRecord {
  /** `toolkit.tool`, in the tool's own names. */
  tool: string;
  status: "completed" | "failed" | "refused" | "cancelled" | "pending" | "planned";
  /** False when policy, limits or validation stopped it before the tool ran. */
  reached: boolean;
  /** Milliseconds from the call to its answer. */
  durationMs: number;
  /** Encoded size of the result, in bytes: what never needed to reach the model. */
  resultBytes: number;
  error?: { code: string; message: string };
  /** With `planned`. */
  plan?: PlannedCall;
  /** Set when a person was asked: what they decided. */
  approval?: "allowed" | "edited" | "answered" | "denied" | "none";
  /** True when the result came from the policy's cache. */
  cached?: boolean;
}

/** A stream, value, or display that was longer than its limit. */
export interface Truncation {
  what: StreamName | "traceback" | "repr" | "value" | "display" | "images";
  /** Bytes kept in the outcome. */
  keptBytes: number;
  totalBytes: number;
  /** The artifact that holds the whole, usable in the next cell. */
  artifact?: string;
}

/** Something wrong in a cell's source. */
export interface CodeProblem {
  /** From 1, as the cell was sent. */
  line: number;
  /** From 1. */
  column: number;
  /** The language's own code for it, e.g. `TS2322`. */
  code: string;
  message: string;
}

/** Why a cell did not complete. */
export interface OutcomeError {
  /** Stable code, e.g. `cell/exception`, `cell/timed-out`, `kernel/crashed`. */
  code: ErrorCode;
  /** The exception's class in the cell's language, when there was one. */
  type?: string;
  message: string;
  /** Line of the cell, from 1. */
  line?: number;
  /** Column in that line, from 1, where it is known. */
  column?: number;
  hint?: string;
  /** With `cell/type-error`: all that was found, in the order of the lines. */
  problems?: CodeProblem[];
  /** With `cell/exited`: the status that the cell asked for. */
  exitCode?: number;
}

/** What became of the kernel's variables. */
export interface StateReport {
  /** `kept`: all variables live on. `lost`: the kernel is gone; the next cell starts generation `generation + 1`. */
  variables: "kept" | "lost";
  /** In words for the reader: what was lost and how to go on. Absent when nothing was. */
  note?: string;
  /** On a kernel's first cell: whether an earlier kernel's variables were brought back into it. Absent on all later cells. */
  start?: "fresh" | "restored";
  /** With `lost`: the names that the kernel's cells had bound, as far as they were told. */
  names?: string[];
}

/** What running a cell gives, whatever happened: always the same fields. */
export interface OutcomeData {
  session: string;
  /** The cell's number in its session, from 1, over all languages. */
  cell: number;
  language: Language;
  /** Which kernel of this language it ran in, from 1. 0 when none was started. */
  generation: number;
  status: OutcomeStatus;
  /** Who ran the cell, when whoever asked for it said so. */
  author?: string;
  /** The last expression's value; undefined when there was none or it could not be carried. */
  value: Value | undefined;
  /** How the language writes that value. */
  repr: string | undefined;
  /** Stands for a value that was too large. */
  reference: Reference | undefined;
  stdout: string;
  stderr: string;
  /** stdout and stderr in the order written, capped as they are. */
  output: OutputChunk[];
  /** Output that arrived after the previous cell ended and before this one began: threads, child processes. */
  background: OutputChunk[];
  traceback: string | undefined;
  error: OutcomeError | undefined;
  /** Top-level names that the cell bound or rebound; empty when its kernel was lost. */
  names: string[];
  toolCalls: ToolCallRecord[];
  /** Names under which the cell shared values: `shared.<name>` in cells of either language. */
  shared: string[];
  displays: Display[];
  truncated: Truncation[];
  /** Remarks for the reader: un-awaited calls, a value that could not be carried, a replaced kernel. */
  notices: string[];
  state: StateReport;
  startedAt: Date;
  durations: {
    /** From `run` to the outcome. */
    totalMs: number;
    /** Waiting for the kernel: its start, or cells before this one. */
    queuedMs: number;
    /** Waiting for tools or people; not counted against the cell's time limit. */
    waitingMs: number;
  };
}

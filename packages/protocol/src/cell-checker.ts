import type { CodeProblem } from "./outcome.js";

/** What a cell is read against. */
export interface CheckContext {
  /** Declarations of the session's tools, in the cell's language. */
  tools: string;
  /** Names that earlier cells have bound in the live kernel. */
  names: readonly string[];
  /** The kernel's working folder: packages are looked for from here. */
  folder: string;
}

/** A cell that has run, so that later ones can be read against what it declared. */
export interface RanCell {
  code: string;
  completed: boolean;
  /** Top-level names that it bound. */
  names: readonly string[];
}

/** Reads the cells of one session for errors of type, in the order they come; runs nothing of them. */
export interface CellChecker {
  /**
   * What is wrong with a cell, in the order of its lines; empty when nothing is, or when it does not parse, which the kernel tells.
   *
   * @throws ArtificerError `cell/checker-missing`, `cell/check-failed`; the signal's reason
   */
  check(code: string, context: CheckContext, options?: { signal?: AbortSignal | undefined }): Promise<CodeProblem[]>;
  /** Tells of a cell that has run, checked or not. Cheap: its declarations are worked out when they are next needed. */
  ran(cell: RanCell): void;
  /** Lets go of what checks. Idempotent. */
  close(): Promise<void>;
}

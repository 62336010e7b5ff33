import type { CodeProblem } from "@artificer/protocol";

/** How a name is brought into a later cell: as a variable that may be assigned, or with its meaning as a type too. */
export type NameKind = "variable" | "imported";

/** A name of an earlier cell. Without a module nothing is known of it but that it is there. */
export interface KnownName {
  name: string;
  module?: string;
  kind?: NameKind;
}

/** The declarations of one earlier cell, as a module. */
export interface CellModule {
  name: string;
  text: string;
}

/** One cell to be read, with all it is read against: the process that checks remembers nothing. */
export interface CheckRequest {
  folder: string;
  tools: string;
  modules: readonly CellModule[];
  known: readonly KnownName[];
  code: string;
  /** Names that the cell assigns at its top level. */
  assigned: readonly string[];
  /** Tells what the cell declares although something is wrong with it: it has run all the same. */
  declareAnyway?: boolean;
}

/** What reading a cell gave. */
export interface CheckResult {
  problems: CodeProblem[];
  /** What the cell declares, as a module; undefined when that could not be told. */
  declarations: string | undefined;
  declared: { name: string; kind: NameKind }[];
}

/** From the process that checks. The first message is `ready` or `missing`. */
export type CheckerMessage =
  | { kind: "ready" }
  | { kind: "missing"; message: string; hint: string }
  | { kind: "result"; result: CheckResult; heapBytes: number }
  | { kind: "late" }
  | { kind: "failed"; message: string };

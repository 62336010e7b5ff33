/** A static import of a cell, carried out by the kernel before the cell's body. */
export interface CellImport {
  from: string;
  line: number;
  /** `[imported, local, needed]`; `*` imports the namespace. `needed` is false when nothing but a type may be meant. */
  names: [imported: string, local: string, needed: boolean][];
}

/** A place where the prepared text is longer or shorter than what the user wrote: from `column` on, subtract `by`. */
export interface ColumnShift {
  line: number;
  column: number;
  by: number;
}

/** A syntax error, found before anything ran. Lines and columns from 1. */
export interface SourceProblem {
  message: string;
  line: number;
  column: number;
  hint?: string;
}

/** What the host found in a cell, sent to the kernel as the first line of the prepared text. */
export interface CellHeader {
  imports?: CellImport[];
  /** Names of `var`s, which keep their value when they are declared again. */
  vars?: string[];
  /** Function declarations of the top level, by their place in the prepared body: `[start, end, name]`. */
  hoisted?: [start: number, end: number, name: string][];
  /** Top-level names that the cell binds or assigns. */
  names?: string[];
  /** Set when the last statement is an expression, or the cell returns. */
  valued?: boolean;
  shifts?: ColumnShift[];
  problem?: SourceProblem;
  /** For skills: how `run` takes its arguments, whole or by position. */
  call?: "object" | string[];
}

const mark = "//artificer:1 ";

/** Joins header and body into the one text that goes over the wire. */
export function joinPrepared(header: CellHeader, body: string): string {
  return `${mark}${JSON.stringify(header)}\n${body}`;
}

/** Takes a prepared text apart; text without a header is plain JavaScript, run as it is. */
export function splitPrepared(text: string): { header: CellHeader; body: string } {
  if (!text.startsWith(mark)) return { header: { valued: true }, body: text };
  const end = text.indexOf("\n");
  return { header: JSON.parse(text.slice(mark.length, end)) as CellHeader, body: text.slice(end + 1) };
}

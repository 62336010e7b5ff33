import type { VariableInfo } from "@artificer/protocol";

/** The cell that bound a variable last. */
export interface VariableMaker {
  cell: number;
  /** Who ran it, when that was said. */
  author?: string;
}

/** A variable of a session, and who made it. Without `cell`: a snapshot brought it back, or code that outlived its cell made it. */
export type SessionVariable = VariableInfo & Partial<VariableMaker>;

export function withMakers(
  rows: readonly VariableInfo[],
  makers: ReadonlyMap<string, VariableMaker>,
): SessionVariable[] {
  return rows.map((row) => ({ ...row, ...makers.get(row.name) }));
}

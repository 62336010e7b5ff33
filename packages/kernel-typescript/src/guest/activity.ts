import type { Cell } from "./cell.js";

/**
 * Which cell code belongs to. Kept by hand: async_hooks (and so AsyncLocalStorage on Node 20) leave their stack unbalanced
 * when a busy loop is ended from outside, and Node then ends the process.
 */
export const activity: { cell: Cell | undefined; last: Cell | undefined } = { cell: undefined, last: undefined };

/** The cell that runs now, else the one that ran last. */
export function currentCell(): Cell | undefined {
  return activity.cell ?? activity.last;
}

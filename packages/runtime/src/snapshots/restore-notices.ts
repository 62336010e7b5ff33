import type { SnapshotFailure } from "@artificer/protocol";

/** What came of a restore, as the first cell in the new kernel is told it. */
export interface RestoreReport {
  /** The last cell whose effects were saved. */
  cell: number;
  restored: readonly string[];
  failed: readonly SnapshotFailure[];
  /** Cells that ran after the save: what they changed is lost. */
  lostCells: readonly number[];
}

const maxNames = 30;

/** One remark a subject: what is there again, what is not and why, what ran since. */
export function restoreNotices({ cell, restored, failed, lostCells }: RestoreReport): string[] {
  const notices: string[] = [];
  if (restored.length > 0 || failed.length === 0) {
    const names = restored.length === 0 ? "there were none" : list(restored);
    notices.push(`Variables are restored as they were after cell ${cell}: ${names}.`);
  }
  if (failed.length > 0) {
    const reasons = failed.slice(0, maxNames).map(({ name, reason }) => `${name} (${reason})`);
    const more = failed.length > maxNames ? `; and ${failed.length - maxNames} more` : "";
    notices.push(`Not restored: ${reasons.join("; ")}${more}.`);
  }
  if (lostCells.length > 0) {
    const which = lostCells.length === 1 ? `cell ${lostCells[0]}` : `cells ${lostCells.join(", ")}`;
    notices.push(`What ${which} did to variables after that is lost.`);
  }
  return notices;
}

function list(names: readonly string[]): string {
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  return names.slice(0, maxNames).join(", ") + more;
}

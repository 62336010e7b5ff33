import type { SnapshotFailure } from "@artificer/protocol";

/** What one save did and what it cost. */
export interface SnapshotReport {
  /** The last cell whose effects it holds. */
  cell: number;
  saved: string[];
  /** Variables left out, each with the reason. */
  skipped: SnapshotFailure[];
  /** All that the snapshot holds. */
  bytes: number;
  /** What was new and had to be stored. */
  writtenBytes: number;
  /** Variables that were looked at because they may have changed; the others cost nothing. */
  examined: number;
  pickledBytes: number;
  /** Time taken in the kernel, between cells, in milliseconds. */
  kernelMs: number;
}

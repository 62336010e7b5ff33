import type { SnapshotFailure, SnapshotSaveResult } from "@artificer/protocol";

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

/** `refused`: what the storage did not take. */
export function reportOf(result: SnapshotSaveResult, refused: SnapshotFailure[], cell: number): SnapshotReport {
  const { groups, facts, cost } = result;
  const lost = new Set(refused.map(({ name }) => name));
  return {
    cell,
    saved: [...groups.flatMap(({ names }) => names), ...result.names].filter((name) => !lost.has(name)),
    skipped: [...result.skipped, ...refused],
    bytes: groups.reduce((sum, group) => sum + group.bytes, facts.bytes),
    writtenBytes: [...groups, facts].reduce((sum, { data }) => sum + (data?.byteLength ?? 0), 0),
    examined: cost.examined,
    pickledBytes: cost.pickledBytes,
    kernelMs: cost.ms,
  };
}

import { ArtificerError, type SnapshotSaveResult } from "@artificer/protocol";
import type { SnapshotOptions } from "./snapshot-options.js";

/** A kernel is not trusted to keep to its bounds. @throws ArtificerError `snapshot/failed` */
export function checkSave({ groups, facts }: SnapshotSaveResult, bounds: SnapshotOptions): void {
  const bytes = [facts, ...groups].reduce((sum, piece) => sum + (piece.data?.byteLength ?? 0), 0);
  const honest = [facts, ...groups].every(({ data, bytes: told }) => data === undefined || data.byteLength === told);
  if (honest && bytes <= bounds.maxTotalBytes + bounds.maxVariableBytes) return;
  throw new ArtificerError("snapshot/failed", `The kernel sent ${bytes} bytes of variables, more than it may.`, {
    details: { bytes, maxTotalBytes: bounds.maxTotalBytes },
  });
}

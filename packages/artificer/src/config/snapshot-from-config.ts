import type { SnapshotOptions } from "@artificer/runtime";
import type { Config } from "./config-schema.js";

/**
 * Whether and within what bounds a session's variables are kept. What is asked for when it is opened goes first, then
 * the configuration; when neither says anything, a session that can be taken up again by its id keeps them.
 */
export function snapshotFromConfig(
  { code_execution: cells, snapshots }: Config,
  asked: { id?: string; snapshot?: boolean | Partial<SnapshotOptions> },
): Partial<SnapshotOptions> | false {
  const on = asked.snapshot ?? cells.snapshot ?? asked.id !== undefined;
  if (on === false) return false;
  const bounds: Partial<SnapshotOptions> = {};
  if (snapshots.debounce !== undefined) bounds.debounceMs = Math.round(snapshots.debounce * 1000);
  if (snapshots.max_variable !== undefined) bounds.maxVariableBytes = snapshots.max_variable;
  if (snapshots.max_total !== undefined) bounds.maxTotalBytes = snapshots.max_total;
  if (snapshots.format !== undefined) bounds.format = snapshots.format;
  return on === true ? bounds : { ...bounds, ...on };
}

import type { SnapshotOptions } from "@artificer/runtime";
import type { Config } from "./config-schema.js";

/** What a configuration says of snapshots; undefined when it says nothing. */
export function snapshotFromConfig({ code_execution: cells }: Config): boolean | Partial<SnapshotOptions> | undefined {
  const { snapshot } = cells;
  if (typeof snapshot !== "object") return snapshot;
  const options: Partial<SnapshotOptions> = {};
  if (snapshot.debounce !== undefined) options.debounceMs = Math.round(snapshot.debounce * 1000);
  if (snapshot.max_variable !== undefined) options.maxVariableBytes = snapshot.max_variable;
  if (snapshot.max_total !== undefined) options.maxTotalBytes = snapshot.max_total;
  return options;
}

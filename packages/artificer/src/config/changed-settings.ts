import { isDeepStrictEqual } from "node:util";
import type { Config } from "./config-schema.js";

/** A setting that has another value now. */
export interface ChangedSetting {
  /** As config.yaml writes it. */
  key: string;
  value: string;
}

export interface ChangedSettings {
  /** Hold from the next cell on. */
  live: ChangedSetting[];
  /** Hold for kernels that are started from now on. */
  later: ChangedSetting[];
  /** Hold when a session is opened. */
  reopen: string[];
}

type CellSetting = keyof Config["code_execution"];

const liveSettings: readonly CellSetting[] = [
  "timeout",
  "max_waiting",
  "max_queue",
  "grace",
  "max_tool_calls",
  "max_stdout",
  "max_stderr",
  "max_result",
  "large_results",
];

const kernelSettings: readonly CellSetting[] = [
  "max_inline",
  "memory",
  "cpu",
  "processes",
  "open_files",
  "file_size",
  "kernel_idle_timeout",
  "max_session_kernels",
];

/** Sorts what differs between two configurations by when it can hold. */
export function changedSettings(before: Config, after: Config): ChangedSettings {
  const { code_execution: cellsBefore, ...restBefore } = before;
  const { code_execution: cellsAfter, ...restAfter } = after;
  const changed = differing(cellsBefore, cellsAfter);
  const told = (settings: readonly CellSetting[]) =>
    settings
      .filter((key) => changed.includes(key))
      .map((key) => ({ key: `code_execution.${key}`, value: String(cellsAfter[key] ?? "without bound") }));
  const known: readonly string[] = [...liveSettings, ...kernelSettings];
  return {
    live: told(liveSettings),
    later: told(kernelSettings),
    reopen: [
      ...changed.filter((key) => !known.includes(key)).map((key) => `code_execution.${key}`),
      ...differing(restBefore, restAfter),
    ],
  };
}

function differing(before: object, after: object): string[] {
  const [one, other] = [before, after] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(one!), ...Object.keys(other!)]);
  return [...keys].filter((key) => !isDeepStrictEqual(one![key], other![key]));
}

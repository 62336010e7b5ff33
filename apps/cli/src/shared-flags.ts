import { ArtificerError, type Language } from "@artificer/protocol";
import type { ExecutorKind } from "artificer";
import { executorKinds } from "./executor-kinds.js";
import { type StorageFlags, storageFlags } from "./storage-flags.js";

/** Flags that every command that opens a base has. */
export interface BaseFlags extends StorageFlags {
  base?: string;
  json?: boolean;
  debug?: boolean;
}

/** Definitions of `BaseFlags`. */
export const baseFlags = {
  base: {
    kind: "parsed",
    parse: String,
    optional: true,
    placeholder: "DIR",
    brief: "Base folder [default = $ARTIFICER_BASE, else ./.artificer]",
  },
  ...storageFlags,
  json: {
    kind: "boolean",
    optional: true,
    withNegated: false,
    brief: "Write JSON, errors too, one document a line",
  },
  debug: { kind: "boolean", optional: true, withNegated: false, brief: "Show the stack of an error" },
} as const;

/** And `--executor`, for those that run code. */
export interface SessionFlags extends BaseFlags {
  executor?: ExecutorKind;
  runtimeDeps?: boolean;
}

/** `--language`. */
export const languageFlag = {
  kind: "enum",
  values: ["python", "typescript"] as const satisfies readonly Language[],
  optional: true,
  brief: "Language of the code",
} as const;

/** `--executor`. */
export const executorFlag = {
  kind: "enum",
  values: executorKinds,
  optional: true,
  brief: "Where kernels run [default = as config.yaml says]",
} as const;

/** `--no-runtime-deps`. */
export const runtimeDepsFlag = {
  kind: "boolean",
  optional: true,
  brief: "Whether cells may add packages [default = as config.yaml says]",
} as const;

/** `--timeout`. */
export const timeoutFlag = {
  kind: "parsed",
  parse: parseSeconds,
  optional: true,
  placeholder: "SECONDS",
  brief: "Time limit of one cell, e.g. 30 or 0.5",
} as const;

/** `--limit`. */
export const limitFlag = {
  kind: "parsed",
  parse: parseCount,
  default: "10",
  placeholder: "N",
  brief: "Results at most",
} as const;

/** Seconds as written, in milliseconds. @throws ArtificerError `usage/invalid-argument` */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw new ArtificerError("usage/invalid-argument", `${JSON.stringify(text)} is no time in seconds above 0.`, {
    hint: "Write a number of seconds such as 30 or 0.5.",
  });
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new ArtificerError("usage/invalid-argument", `${JSON.stringify(text)} is no whole number above 0.`);
}

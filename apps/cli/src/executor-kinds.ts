import type { ExecutorKind } from "artificer";

/** What `--executor` can name; written out, since help must not wait for the library. */
export const executorKinds = [
  "subprocess",
  "inprocess",
  "sandbox",
  "container",
] as const satisfies readonly ExecutorKind[];

import type { ArtificerError, Language, OutcomeData } from "@artificer/protocol";

/** A cell that never ran, and why. */
export function refusedOutcome(
  cell: { session: string; cell: number; language: Language; generation: number; startedAt: Date; totalMs: number },
  error: ArtificerError,
  status: "refused" | "interrupted" = "refused",
): OutcomeData {
  const { totalMs, ...rest } = cell;
  return {
    ...rest,
    status,
    value: undefined,
    repr: undefined,
    reference: undefined,
    stdout: "",
    stderr: "",
    output: [],
    background: [],
    traceback: undefined,
    error: { code: error.code, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) },
    names: [],
    toolCalls: [],
    shared: [],
    displays: [],
    truncated: [],
    notices: [],
    state: { variables: "kept" },
    durations: { totalMs, queuedMs: totalMs, waitingMs: 0 },
  };
}

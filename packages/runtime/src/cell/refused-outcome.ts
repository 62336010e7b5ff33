import type { ArtificerError, CodeProblem, Language, OutcomeData, OutcomeError } from "@artificer/protocol";

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
    error: told(error),
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

function told({ code, message, hint, details }: ArtificerError): OutcomeError {
  const problems = code === "cell/type-error" ? (details.problems as unknown as CodeProblem[]) : undefined;
  const [first] = problems ?? [];
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(first === undefined ? {} : { line: first.line, column: first.column, problems }),
  };
}

import type { ArtificerError, CellRunResult, OutcomeError, OutcomeStatus, StateReport } from "@artificer/protocol";
import { limitHint } from "./limit-hint.js";
import type { CellEnding } from "./run-cell.js";

/** The part of an outcome that follows from how the cell ended. */
export interface ToldEnding {
  status: OutcomeStatus;
  error: OutcomeError | undefined;
  state: StateReport;
  notices: string[];
}

/** Turns an ending into exactly one status, with what was lost and how to go on. */
export function tellEnding({ result, stop, end }: CellEnding): ToldEnding {
  if (end !== undefined) return tellLostKernel(end.error, stop);
  const notices = result!.unawaited.length === 0 ? [] : [unawaited(result!.unawaited)];
  const state: StateReport = { variables: "kept" };
  if (stop !== undefined) {
    state.note = "The interrupt landed: the kernel lives on and all variables are kept.";
    return { status: stop.status, error: plain(stop.error, result), state, notices };
  }
  return { ...tellResult(result!, notices), state };
}

function tellResult(result: CellRunResult, notices: string[]): Omit<ToldEnding, "state"> {
  switch (result.status) {
    case "completed":
      return { status: "completed", error: undefined, notices };
    case "exited":
      if ((result.exitCode ?? 0) === 0) {
        notices.push("The cell called exit(); the kernel goes on and all variables are kept.");
        return { status: "completed", error: undefined, notices };
      }
      return { status: "failed", error: exited(result), notices };
    case "failed":
    case "interrupted":
      return { status: "failed", error: exception(result), notices };
  }
}

function tellLostKernel(error: ArtificerError, stop: CellEnding["stop"]): ToldEnding {
  const stopped = stop !== undefined;
  const why = stopped ? "The interrupt did not land in time, so the kernel was killed" : "The kernel is gone";
  return {
    status: stop?.status ?? "crashed",
    error: plain(stopped ? stop.error : error),
    state: {
      variables: "lost",
      note: `${why}: its variables, imports and functions are lost. Skills and artifacts are kept. The next cell starts a fresh kernel; run again what it needs.`,
    },
    notices: [],
  };
}

function plain(
  error: { code: OutcomeError["code"]; message: string; hint?: string },
  result?: CellRunResult,
): OutcomeError {
  return {
    code: error.code,
    message: error.message,
    ...(result?.error?.line === undefined ? {} : { line: result.error.line }),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}

function exited(result: CellRunResult): OutcomeError {
  return {
    code: "cell/exited",
    type: result.error?.type ?? "SystemExit",
    message: `The cell exited with status ${result.exitCode}.`,
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
  };
}

/** What the kernel itself says of a cell that it would not run as written. */
const refusals = ["cell/shell-disabled", "cell/bad-magic", "cell/bad-folder", "executor/unsupported"] as const;

function exception({ error }: CellRunResult): OutcomeError {
  const limit = limitHint(error?.code);
  const syntax = error?.type === "SyntaxError" || error?.type === "IndentationError" || error?.type === "TabError";
  return {
    code: limit?.code ?? refusals.find((code) => code === error?.code) ?? (syntax ? "cell/syntax" : "cell/exception"),
    type: error?.type ?? "Error",
    message: error?.message ?? "The cell failed.",
    ...(error?.line === undefined ? {} : { line: error.line }),
    ...(limit === undefined ? {} : { hint: limit.hint }),
  };
}

function unawaited(names: readonly string[]): string {
  return `These calls were started and never awaited, so their results are unknown: ${names.join(", ")}. Put \`await\` before them.`;
}

import { errorCodes, type OutcomeData, type OutcomeStatus } from "@artificer/protocol";

const byStatus: Record<OutcomeStatus, number> = {
  completed: 0,
  failed: errorCodes["cell/exception"].exit,
  "timed-out": errorCodes["cell/timed-out"].exit,
  interrupted: errorCodes["cell/interrupted"].exit,
  crashed: errorCodes["kernel/crashed"].exit,
  refused: errorCodes["tool/denied"].exit,
};

/** The exit code that tells how a cell ended. */
export function outcomeExitCode(outcome: Pick<OutcomeData, "status" | "error">): number {
  if (outcome.status === "completed" || outcome.error === undefined) return byStatus[outcome.status];
  return errorCodes[outcome.error.code]?.exit ?? byStatus[outcome.status];
}

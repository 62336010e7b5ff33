import type { ToolCallRecord } from "@artificer/protocol";
import type { HintFacts } from "../cell/failure-hint.js";
import type { Namespaces } from "../handles/handle-context.js";
import { callJournal } from "../journal/call-journal.js";
import type { Journal } from "../journal/journal.js";
import { createOutcome, type Outcome } from "../outcome/outcome.js";
import type { Redactor } from "../redaction/redactor.js";
import { cellSpan } from "../telemetry/cell-span.js";
import { executeCell, type RunOptions } from "./execute-cell.js";
import type { KernelSlot } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";
import type { RecentLogs } from "./recent-logs.js";
import type { RepeatedFailures } from "./repeated-failures.js";

/** What every cell of a session needs of it. */
export interface CellParts {
  session: string;
  limits: SessionLimits;
  namespaces: Namespaces;
  journal: Journal;
  redactor: Redactor;
  hints: HintFacts;
  repeated: RepeatedFailures;
  logs: RecentLogs;
}

export interface RecordedCellOptions extends RunOptions {
  /** Its number in the session. */
  cell: number;
  /** Its value goes to another cell. */
  forCell: boolean;
  /** The cell that waits for this one. */
  within?: number;
  parts: CellParts;
}

/** Runs a numbered cell under the session's policy, and keeps the record of it: journal and span, its calls as they end. */
export async function recordedCell(slot: KernelSlot, code: string, options: RecordedCellOptions): Promise<Outcome> {
  const { cell, forCell, parts, ...run } = options;
  const { session, limits, namespaces, journal, redactor, hints, repeated, logs } = parts;
  const { policy, artifacts } = namespaces;
  const { language } = slot;
  const author = run.author === undefined ? {} : { author: run.author };
  journal.append({ kind: "cell", cell, language, code: redactor.text(code), ...author });
  policy.beginCell(cell, run);
  const span = cellSpan({ session, cell, language });
  const calls = callJournal(journal, cell);
  const context = {
    session,
    cell,
    limits,
    artifacts,
    redactor,
    hints,
    forCell,
    onLog: logs.add.bind(logs, cell),
    onCall: (call: ToolCallRecord, index: number) => {
      calls.told(call, index);
      span?.call(call, index);
    },
    approve:
      policy.minds.cells && !forCell
        ? (signal: AbortSignal) => policy.approveCell(cell, { code, language, signal })
        : undefined,
  };
  const data = await executeCell(slot, code, { ...run, context });
  const outcome = createOutcome(run.author === undefined ? data : { ...data, author: run.author });
  const again = repeated.note(code, outcome);
  if (again !== undefined) outcome.notices.push(again);
  calls.rest(outcome.toolCalls);
  span?.end(outcome);
  journal.append({ kind: "outcome", outcome });
  return outcome;
}

import { ArtificerError, type Language } from "@artificer/protocol";
import type { ActiveCell } from "../cell/active-cell.js";
import type { CellClock } from "../cell/cell-clock.js";
import { OutputCapture } from "../cell/output-capture.js";
import { runCell, sendCell } from "../cell/run-cell.js";
import { tellEnding } from "../cell/tell-ending.js";
import { ToolCallLog } from "../cell/tool-call-log.js";
import type { Kernel } from "../kernel/kernel.js";
import { createRedactionTally } from "../redaction/redaction-tally.js";
import type { Redactor } from "../redaction/redactor.js";
import type { KernelSlot } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";
import type { RecentLogs } from "./recent-logs.js";

/** Code that is run in every kernel of a language before its first cell. */
export type StartupCode = Partial<Record<Language, string>>;

/** No cell has this number. */
const startupCell = 0;

export interface StartupContext {
  code: string;
  limits: SessionLimits;
  logs: RecentLogs;
  redactor: Redactor;
  signal: AbortSignal | undefined;
}

/**
 * Runs the startup code in a kernel that has just started, its variables restored. It may call tools, and has the time of a cell.
 * A failure is told to the first cell, which runs all the same.
 *
 * @throws ArtificerError `kernel/start-failed` when the kernel did not survive it; the signal's reason.
 */
export async function runStartupCode(slot: KernelSlot, kernel: Kernel, context: StartupContext): Promise<void> {
  const { code, limits, logs, redactor, signal } = context;
  const { timeoutMs, maxWaitingMs, graceMs, maxStdoutBytes, maxStderrBytes } = limits;
  const redactions = createRedactionTally();
  const redact = (text: string) => redactor.text(text, redactions.onRedacted);
  const capture = new OutputCapture({
    stdout: { maxBytes: maxStdoutBytes, maxArtifactBytes: 0 },
    stderr: { maxBytes: maxStderrBytes, maxArtifactBytes: 0 },
    clean: () => redactor.stream(redactions.onRedacted),
  });
  const active: { -readonly [K in keyof ActiveCell]: ActiveCell[K] } = {
    cell: startupCell,
    code,
    language: slot.language,
    kernel,
    capture,
    clock: undefined as unknown as CellClock,
    toolCalls: new ToolCallLog(limits.maxToolCalls),
    displays: [],
    onDisplay: undefined,
    onToolProgress: undefined,
    shared: [],
    notices: [],
    truncated: [],
    background: [],
    redact,
    redactions,
  };
  logs.add(startupCell, active.toolCalls);
  slot.active = active;
  const onClock = (clock: CellClock) => {
    active.clock = clock;
  };
  const prepared = slot.program.source?.prepareCell(code) ?? code;
  const sent = sendCell(kernel, { cell: startupCell, code: prepared, cwd: undefined });
  const ending = await runCell({ kernel, sent, capture, timeoutMs, maxWaitingMs, graceMs, signal, onClock });
  slot.active = undefined;
  const { ordered } = capture.finish();
  for (const { stream, text } of ordered) slot.keepBackground(stream, Buffer.from(text));
  for (const { stream, chunk } of capture.after) slot.keepBackground(stream, chunk);
  slot.remarks.push(...active.notices);

  const { status, error } = tellEnding(ending);
  if (status === "completed" || error === undefined) return;
  const what = `${error.type === undefined ? "" : `${error.type}: `}${redact(error.message)}`;
  if (ending.end !== undefined) throw endedKernel(what, ending.end.error);
  if (signal?.aborted) {
    // Half of it has run: the next cell gets a kernel in which all of it has.
    await kernel.kill(new ArtificerError("kernel/killed", "its startup code was interrupted."));
    throw signal.reason;
  }
  const line = error.line === undefined ? "" : ` in line ${error.line}`;
  slot.remarks.push(`The startup code failed${line}: ${what}. What it would have made from there on is missing.`);
}

function endedKernel(what: string, cause: ArtificerError): ArtificerError {
  return new ArtificerError("kernel/start-failed", `The kernel did not survive its startup code: ${what}`, {
    hint: "Mend startup_code, or leave it out.",
    cause,
  });
}

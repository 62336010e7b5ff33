import {
  ArtificerError,
  type Display,
  type Language,
  type OutcomeData,
  type OutputChunk,
  type ToolCallRecord,
  toArtificerError,
} from "@artificer/protocol";
import type { ArtifactStore } from "../artifacts/artifact-store.js";
import type { ActiveCell } from "../cell/active-cell.js";
import type { CellClock } from "../cell/cell-clock.js";
import { cellOutcome } from "../cell/cell-outcome.js";
import { OutputCapture } from "../cell/output-capture.js";
import { refusedOutcome } from "../cell/refused-outcome.js";
import { runCell } from "../cell/run-cell.js";
import { ToolCallLog } from "../cell/tool-call-log.js";
import type { Kernel } from "../kernel/kernel.js";
import { redactCall, redactOutcome } from "../redaction/redact-outcome.js";
import { createRedactionTally } from "../redaction/redaction-tally.js";
import type { Redactor } from "../redaction/redactor.js";
import type { KernelSlot } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";

/** What may be said about one cell besides its code. */
export interface CellOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Told of output as it happens. */
  onOutput?: (chunk: OutputChunk) => void;
  onDisplay?: (display: Display) => void;
  /** Told of each tool call when it begins, and again when it has ended. */
  onToolCall?: (call: ToolCallRecord) => void;
}

/** What may be said about one run. */
export interface RunOptions extends CellOptions {
  /** Default `python`. */
  language?: Language;
}

export interface ExecuteContext {
  session: string;
  cell: number;
  limits: SessionLimits;
  artifacts: ArtifactStore;
  redactor: Redactor;
  /** The value goes to another cell, not to a reader: as it is, whatever its size. */
  forCell: boolean;
  /** Remembers the cell's tool calls, for threads that outlive it. */
  onLog(log: ToolCallLog): void;
}

/** One cell from the queue to its outcome: session -> executor -> kernel -> cell. Never throws for what the cell did. */
export async function executeCell(
  slot: KernelSlot,
  code: string,
  options: CellOptions & { context: ExecuteContext },
): Promise<OutcomeData> {
  const { context, signal } = options;
  const startedAt = new Date();
  const from = performance.now();
  const totalMs = () => performance.now() - from;
  const identity = { session: context.session, cell: context.cell, language: slot.language, startedAt };
  return slot.enqueue(async () => {
    let kernel: Kernel;
    try {
      signal?.throwIfAborted();
      const saving = slot.keeper?.pause();
      if (saving !== undefined) await saving;
      kernel = await slot.ensure(signal);
    } catch (thrown) {
      const status = signal?.aborted ? "interrupted" : "refused";
      const error = signal?.aborted ? interruptedBefore(signal.reason) : toArtificerError(thrown);
      const refused = refusedOutcome({ ...identity, generation: slot.generation, totalMs: totalMs() }, error, status);
      // An interpreter's last words are in it.
      return redactOutcome(refused, (text) => context.redactor.text(text));
    }
    const active = activate(slot, kernel, code, options);
    const queuedMs = totalMs();
    const { timeoutMs = context.limits.timeoutMs } = options;
    const { maxWaitingMs, graceMs } = context.limits;
    const onClock = (clock: CellClock) => {
      active.clock = clock;
    };
    const ending = await runCell({
      kernel,
      cell: context.cell,
      code: slot.program.source?.prepareCell(code) ?? code,
      capture: active.capture,
      timeoutMs,
      maxWaitingMs,
      graceMs,
      signal,
      onClock,
    });
    slot.active = undefined;
    if (ending.end !== undefined) slot.forgetLastEnd();
    for (const name of ending.result?.names ?? []) slot.names.add(name);
    const data = await cellOutcome(active, ending, { ...context, names: slot.names, startedAt, queuedMs, totalMs });
    slot.keeper?.cellEnded(kernel, context.cell);
    if (data.state.variables === "lost") slot.keeper?.amend(data.state);
    for (const { stream, chunk } of active.capture.after) slot.keepBackground(stream, chunk);
    return data;
  });
}

type Activating = { -readonly [K in keyof ActiveCell]: ActiveCell[K] };

function activate(
  slot: KernelSlot,
  kernel: Kernel,
  code: string,
  options: CellOptions & { context: ExecuteContext },
): Activating {
  const { limits, cell, redactor } = options.context;
  const redactions = createRedactionTally();
  const redact = (text: string) => redactor.text(text, redactions.onRedacted);
  const last = slot.takeLastEnd();
  const notices = slot.remarks.splice(0);
  const restored = slot.keeper?.takeNotices() ?? [];
  if (last !== undefined && last.generation !== kernel.generation)
    notices.push(
      `This cell runs in a fresh kernel (generation ${kernel.generation}): the one before ended, ${last.end.error.message}${restored.length === 0 ? " Its variables are gone." : ""}`,
    );
  notices.push(...restored);
  const active: Activating = {
    cell,
    code,
    language: slot.language,
    kernel,
    capture: new OutputCapture({
      stdout: { maxBytes: limits.maxStdoutBytes, maxArtifactBytes: limits.maxOutputArtifactBytes },
      stderr: { maxBytes: limits.maxStderrBytes, maxArtifactBytes: limits.maxOutputArtifactBytes },
      clean: () => redactor.stream(redactions.onRedacted),
      ...(options.onOutput === undefined ? {} : { onOutput: options.onOutput }),
    }),
    clock: undefined as unknown as CellClock,
    toolCalls: new ToolCallLog(limits.maxToolCalls, (call) => options.onToolCall?.(redactCall(call, redact))),
    displays: [],
    onDisplay: options.onDisplay,
    shared: [],
    notices,
    truncated: [],
    background: slot.takeBackground(),
    redact,
    redactions,
  };
  options.context.onLog(active.toolCalls);
  slot.active = active;
  return active;
}

function interruptedBefore(reason: unknown): ArtificerError {
  const told = reason instanceof Error ? `: ${reason.message}` : ".";
  return new ArtificerError("cell/interrupted", `The cell was interrupted before it began${told}`, { cause: reason });
}

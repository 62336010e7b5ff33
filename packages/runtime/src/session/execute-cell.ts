import {
  type ArtificerError,
  type Display,
  type Language,
  type OutcomeData,
  type OutputChunk,
  type ToolCallRecord,
  toArtificerError,
} from "@artificer/protocol";
import type { ArtifactStore } from "../artifacts/artifact-store.js";
import type { ActiveCell, CellToolProgress } from "../cell/active-cell.js";
import type { CellClock } from "../cell/cell-clock.js";
import { cellOutcome } from "../cell/cell-outcome.js";
import type { HintFacts } from "../cell/failure-hint.js";
import { OutputCapture } from "../cell/output-capture.js";
import { refusedOutcome } from "../cell/refused-outcome.js";
import { runCell, sendCell } from "../cell/run-cell.js";
import { type HeartbeatOptions, startHeartbeat } from "../cell/start-heartbeat.js";
import { ToolCallLog } from "../cell/tool-call-log.js";
import type { Kernel } from "../kernel/kernel.js";
import type { Decider } from "../policy/approvals.js";
import { redactCall, redactOutcome } from "../redaction/redact-outcome.js";
import { createRedactionTally } from "../redaction/redaction-tally.js";
import type { Redactor } from "../redaction/redactor.js";
import { inTurn, interruptedBefore } from "./in-turn.js";
import type { KernelSlot } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";

/** What may be said about one cell besides its code. */
export interface CellOptions extends HeartbeatOptions {
  /** Who runs it, for the journal, the outcome and `variables()`. */
  author?: string;
  /** Its working folder, for this cell alone; a relative path begins at the kernel's own. */
  cwd?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Told of output as it happens. */
  onOutput?: (chunk: OutputChunk) => void;
  onDisplay?: (display: Display) => void;
  /** Told of each tool call when it begins, and again when it has ended. */
  onToolCall?: (call: ToolCallRecord) => void;
  /** Told of progress that tools report of calls under way. */
  onToolProgress?: (progress: CellToolProgress) => void;
  /** Tool calls are listed and not made; `reads` lets those that only read go ahead. The cell's own code runs all the same. */
  dryRun?: boolean | "reads";
  /** Answers what this cell has to ask a person, besides the session's own decider. */
  approve?: Decider;
}

/** What may be said about one run. */
export interface RunOptions extends CellOptions {
  /** Default `python`. */
  language?: Language;
  /** Reads the cell for errors of type first, and refuses to run one that has any. TypeScript only. Default: as the session says. */
  check?: boolean | undefined;
}

export interface ExecuteContext {
  session: string;
  cell: number;
  limits: SessionLimits;
  artifacts: ArtifactStore;
  redactor: Redactor;
  hints: HintFacts;
  /** The value goes to another cell, not to a reader: as it is, whatever its size. */
  forCell: boolean;
  /** Remembers the cell's tool calls, for threads that outlive it. */
  onLog(log: ToolCallLog): void;
  /** Told of each call, secrets redacted, with its place among the cell's calls. */
  onCall(call: ToolCallRecord, index: number): void;
  /** Asks a person about the whole cell, where policy says so. @throws ArtificerError `approval/…` */
  approve: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/** One cell from the queue to its outcome: session -> executor -> kernel -> cell. Never throws for what the cell did. */
export function executeCell(
  slot: KernelSlot,
  code: string,
  options: CellOptions & { check?: boolean | undefined; context: ExecuteContext },
): Promise<OutcomeData> {
  const { context, signal } = options;
  const startedAt = new Date();
  const from = performance.now();
  const totalMs = () => performance.now() - from;
  const identity = { session: context.session, cell: context.cell, language: slot.language, startedAt };
  // Redacted, since an interpreter's last words may be in it.
  const left = (error: ArtificerError, status: "interrupted" | "refused") =>
    redactOutcome(
      refusedOutcome({ ...identity, generation: slot.generation, totalMs: totalMs() }, error, status),
      (text) => context.redactor.text(text),
    );
  let clock: CellClock | undefined;
  const heartbeat = startHeartbeat(context.cell, options, () => clock);
  const { maxQueueMs } = context.limits;
  const outcome = inTurn(slot, { signal, maxQueueMs, left }, async () => {
    let kernel: Kernel;
    try {
      signal?.throwIfAborted();
      // Nobody is asked about a cell that can't run.
      const approve = async () => context.approve?.(signal ?? new AbortController().signal);
      if (!options.check) await approve();
      const saving = slot.keeper?.pause();
      if (saving !== undefined) await saving;
      kernel = await slot.ensure(signal);
      // Only now are the names of earlier cells known, also those that a snapshot has brought back.
      if (options.check) {
        await slot.checks?.check(slot, code, { signal });
        await approve();
      }
    } catch (thrown) {
      if (signal?.aborted) return left(interruptedBefore(signal.reason), "interrupted");
      return left(toArtificerError(thrown), "refused");
    }
    const queuedMs = totalMs();
    const prepared = slot.program.source?.prepareCell(code) ?? code;
    // The kernel works while the rest is made ready: nothing that it sends is looked at before this turn's end.
    const sent = sendCell(kernel, { cell: context.cell, code: prepared, cwd: options.cwd });
    const active = activate(slot, kernel, code, options);
    const started = slot.takeStart();
    const { timeoutMs = context.limits.timeoutMs } = options;
    const { maxWaitingMs, graceMs } = context.limits;
    const onClock = (started: CellClock) => {
      clock = active.clock = started;
    };
    const ending = await runCell({
      kernel,
      sent,
      capture: active.capture,
      timeoutMs,
      maxWaitingMs,
      graceMs,
      signal,
      onClock,
    });
    slot.active = undefined;
    if (ending.end !== undefined) slot.forgetLastEnd();
    slot.noteBound(ending.result?.names ?? [], { cell: context.cell, author: options.author });
    const data = await cellOutcome(active, ending, { of: context, names: slot.names, startedAt, queuedMs, totalMs });
    slot.keeper?.cellEnded(kernel, context.cell);
    slot.checks?.ran(code, data);
    if (data.state.variables === "lost") slot.keeper?.amend(data.state);
    if (started !== undefined) data.state = { ...data.state, start: started };
    for (const { stream, chunk } of active.capture.after) slot.keepBackground(stream, chunk);
    return data;
  });
  return heartbeat === undefined ? outcome : outcome.finally(heartbeat.stop);
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
    toolCalls: new ToolCallLog(limits.maxToolCalls, (call, index) => {
      const told = redactCall(call, redact);
      options.onToolCall?.(told);
      options.context.onCall(told, index);
    }),
    displays: [],
    onDisplay: options.onDisplay,
    onToolProgress: redactedProgress(options.onToolProgress, redact),
    shared: [],
    notices,
    truncated: [],
    background: slot.takeBackground(),
    redact,
    redactions,
  };
  active.capture.onClear = () => active.displays.splice(0);
  options.context.onLog(active.toolCalls);
  slot.active = active;
  return active;
}

function redactedProgress(
  told: CellOptions["onToolProgress"],
  redact: (text: string) => string,
): CellOptions["onToolProgress"] {
  if (told === undefined) return undefined;
  return (progress) =>
    told(progress.message === undefined ? progress : { ...progress, message: redact(progress.message) });
}

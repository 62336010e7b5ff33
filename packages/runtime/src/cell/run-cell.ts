import { ArtificerError, type CellRunResult, readCellResult, toArtificerError, type Value } from "@artificer/protocol";
import type { Kernel, KernelEnd } from "../kernel/kernel.js";
import { CellClock, type ClockAlarm } from "./cell-clock.js";
import type { OutputCapture } from "./output-capture.js";

/** Why the host stopped a cell. The first cause stays. */
export interface StopCause {
  status: "timed-out" | "interrupted";
  error: ArtificerError;
}

/** How a cell ended, before it is told as an outcome. */
export interface CellEnding {
  /** The kernel's own word; absent when the kernel ended first. */
  result: CellRunResult | undefined;
  stop: StopCause | undefined;
  /** Set when the kernel is gone. */
  end: KernelEnd | undefined;
}

/** What a kernel is asked to run. */
export interface SentCell {
  cell: number;
  code: string;
  /** Its working folder; undefined: the kernel's own. */
  cwd: string | undefined;
}

/** Asks a kernel to run a cell. The kernel goes to work at once; `runCell`, in the same turn, watches over it. */
export function sendCell(kernel: Kernel, { cell, code, cwd }: SentCell): RunCellOptions["sent"] {
  return kernel.request("cell.run", cwd === undefined ? { cell, code } : { cell, code, cwd });
}

export interface RunCellOptions {
  kernel: Kernel;
  /** Given by `sendCell`. */
  sent: { id: number; reply: Promise<Value> };
  capture: OutputCapture;
  timeoutMs: number;
  /** Bound on waiting for tools and people. */
  maxWaitingMs: number;
  /** How long an interrupted cell has to end before its kernel is killed. */
  graceMs: number;
  signal: AbortSignal | undefined;
  /** Given the cell's clock, so that tool calls can stop it. */
  onClock(clock: CellClock): void;
}

/** How long to wait for the last output of a cell that has already answered. */
const drainMs = 1_000;

/** Watches over a cell that was sent, to its end or until something stops it: interrupt first, kill when that does not land. */
export async function runCell(options: RunCellOptions): Promise<CellEnding> {
  const { kernel, capture, graceMs } = options;
  const { id, reply } = options.sent;
  let stop: StopCause | undefined;
  let killTimer: NodeJS.Timeout | undefined;

  const stopWith = (cause: StopCause) => {
    if (stop !== undefined) return;
    stop = cause;
    kernel.cancel(id, cause.error.message);
    kernel.abortServing(new ArtificerError("tool/cancelled", `The call was withdrawn: ${cause.error.message}`));
    killTimer = setTimeout(() => void kernel.kill(cause.error), graceMs);
  };
  const clock = new CellClock({ own: options.timeoutMs, waiting: options.maxWaitingMs }, (which) =>
    stopWith(timedOut(which, options)),
  );
  options.onClock(clock);
  const onAbort = () => stopWith(interrupted(options.signal?.reason));
  if (options.signal?.aborted) onAbort();
  else options.signal?.addEventListener("abort", onAbort, { once: true });

  try {
    const result = readCellResult(await reply);
    if (result.marker !== undefined) await Promise.race([capture.until(result.marker, drainMs), kernel.ended]);
    return { result, stop, end: undefined };
  } catch (thrown) {
    // A kernel that is alive but answers nonsense can't be trusted with another cell.
    const end = await kernel.kill(toArtificerError(thrown, "kernel/protocol-violation"));
    return { result: undefined, stop, end };
  } finally {
    clock.stop();
    clearTimeout(killTimer);
    options.signal?.removeEventListener("abort", onAbort);
  }
}

function timedOut(which: ClockAlarm, { timeoutMs, maxWaitingMs }: RunCellOptions): StopCause {
  const message =
    which === "own"
      ? `The cell ran for its whole time limit of ${seconds(timeoutMs)}.`
      : `The cell waited for its tools for ${seconds(maxWaitingMs)}, the longest it may.`;
  const error = new ArtificerError("cell/timed-out", message, {
    details: { timeoutMs, maxWaitingMs, budget: which },
    hint: "Split the work into smaller cells, or pass a larger timeoutMs.",
  });
  return { status: "timed-out", error };
}

function interrupted(reason: unknown): StopCause {
  const told = reason instanceof Error ? reason.message : typeof reason === "string" ? reason : undefined;
  const message = told === undefined ? "The cell was interrupted." : `The cell was interrupted: ${told}`;
  return { status: "interrupted", error: new ArtificerError("cell/interrupted", message, { cause: reason }) };
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}

import { ArtificerError, type OutcomeData } from "@artificer/protocol";
import type { KernelSlot } from "./kernel-slot.js";

export interface TurnOptions {
  signal: AbortSignal | undefined;
  /** The longest wait for the cells before this one; undefined means no bound. */
  maxQueueMs: number | undefined;
  /** The outcome of a cell that left the queue without having run. */
  left(error: ArtificerError, status: "interrupted" | "refused"): OutcomeData;
}

/** Runs a cell when those before it are done. One that is given up, or waits too long, is told at once and never runs. */
export function inTurn(
  slot: KernelSlot,
  { signal, maxQueueMs, left }: TurnOptions,
  task: () => Promise<OutcomeData>,
): Promise<OutcomeData> {
  return new Promise((resolve, reject) => {
    let waiting = true;
    let timer: NodeJS.Timeout | undefined;
    const stopWaiting = () => {
      const was = waiting;
      waiting = false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      return was;
    };
    const leave = (error: ArtificerError, status: "interrupted" | "refused") => {
      if (stopWaiting()) resolve(left(error, status));
    };
    const onAbort = () => leave(interruptedBefore(signal?.reason), "interrupted");

    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    if (maxQueueMs !== undefined && slot.busy)
      timer = setTimeout(() => leave(waitedTooLong(maxQueueMs), "refused"), maxQueueMs);
    // Told once the slot is free again: whoever runs the next cell then finds it so.
    slot
      .enqueue(async () => (stopWaiting() ? task() : undefined))
      .then((outcome) => {
        if (outcome !== undefined) resolve(outcome);
      }, reject);
  });
}

/** The caller's signal fired before the cell began. */
export function interruptedBefore(reason: unknown): ArtificerError {
  const told = reason instanceof Error ? `: ${reason.message}` : ".";
  return new ArtificerError("cell/interrupted", `The cell was interrupted before it began${told}`, { cause: reason });
}

function waitedTooLong(maxQueueMs: number): ArtificerError {
  return new ArtificerError(
    "cell/queued-too-long",
    `The cell waited ${maxQueueMs / 1000} s for the cells before it, the longest it may, and was not run.`,
    {
      details: { maxQueueMs },
      hint: "Run it again when the kernel is free, or raise limits.maxQueueMs (code_execution.max_queue).",
    },
  );
}

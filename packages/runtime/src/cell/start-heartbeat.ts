import type { CellClock } from "./cell-clock.js";

/** A sign of life of a cell that may be silent otherwise. */
export interface Heartbeat {
  cell: number;
  /** `queued`: for its kernel or the cells before it. `waiting`: for tools or people. */
  phase: "queued" | "running" | "waiting";
  /** Since `run` was called. */
  elapsedMs: number;
}

export interface HeartbeatOptions {
  /** Told every `heartbeatMs` from the call of `run` to its outcome. */
  onHeartbeat?: (beat: Heartbeat) => void;
  /** Default 10,000. */
  heartbeatMs?: number;
}

const shortestMs = 10;

/** Beats until it is stopped, where somebody listens. `clock` gives the cell's once it runs. */
export function startHeartbeat(
  cell: number,
  { onHeartbeat, heartbeatMs = 10_000 }: HeartbeatOptions,
  clock: () => CellClock | undefined,
): { stop(): void } | undefined {
  if (onHeartbeat === undefined) return undefined;
  const from = performance.now();
  const beat = () => {
    const running = clock();
    const phase = running === undefined ? "queued" : running.waits ? "waiting" : "running";
    try {
      onHeartbeat({ cell, phase, elapsedMs: performance.now() - from });
    } catch {
      // Whoever listens can't break the cell.
    }
  };
  const timer = setInterval(beat, Math.max(shortestMs, heartbeatMs)).unref();
  return { stop: () => clearInterval(timer) };
}

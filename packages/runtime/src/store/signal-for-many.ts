import { setMaxListeners } from "node:events";

/** The same signal for many waits at once: each listens to it, and Node would take so many listeners for a leak. */
export function signalForMany(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  const many = AbortSignal.any([signal]);
  setMaxListeners(0, many);
  return many;
}

import type { KernelSlot } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";

/** New values for limits of a session that is open, and what to tell of them. */
export interface LimitsChange {
  limits: Partial<SessionLimits>;
  /** Told with the next cell. */
  notices: readonly string[];
}

/** Asked before every cell; gives undefined while nothing has changed. At once, so that no cell overtakes another; never throws. */
export type LiveLimits = () => LimitsChange | undefined;

/** Lets a change hold from the next cell on, in all that looks at the session's limits. */
export function applyLiveLimits(limits: SessionLimits, live: LiveLimits | undefined, slot: KernelSlot): void {
  const change = live?.();
  if (change === undefined) return;
  Object.assign(limits, change.limits);
  slot.remarks.push(...change.notices);
}

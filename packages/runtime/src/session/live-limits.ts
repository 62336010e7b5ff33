import type { KernelSlot } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";

/** New values for limits of a session that is open, and what to tell of them. */
export interface LimitsChange {
  limits: Partial<SessionLimits>;
  /** Told with the next cell. */
  notices: readonly string[];
}

/** Asked before every cell; gives undefined while nothing has changed. Never throws. */
export type LiveLimits = () => Promise<LimitsChange | undefined>;

/** Lets a change hold from the next cell on, in all that looks at the session's limits. */
export async function applyLiveLimits(
  limits: SessionLimits,
  live: LiveLimits | undefined,
  slot: KernelSlot,
): Promise<void> {
  const change = await live?.();
  if (change === undefined) return;
  Object.assign(limits, change.limits);
  slot.remarks.push(...change.notices);
}

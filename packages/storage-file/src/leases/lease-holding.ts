import { uptime } from "node:os";
import { lifeOf, type ProcessFacts, parseFacts, thisMachine } from "../locks/process-life.js";

/** What the file of a lease says. */
export interface LeaseHolding {
  token: number;
  /** Changes with every renewal. Empty when the lease was released. */
  sign: string;
  ttlMs: number;
  /** Seconds of the machine's up time until which it is held. That clock is shared by all of a machine's processes, and nobody sets it. */
  until: number;
  holder: ProcessFacts;
}

/** Undefined for what no release of ours wrote. */
export function leaseHolding(json: Record<string, unknown>): LeaseHolding | undefined {
  const { token, sign, ttlMs, until } = json;
  const holder = parseFacts(JSON.stringify(json.holder ?? null));
  const isSound =
    typeof token === "number" &&
    typeof sign === "string" &&
    typeof ttlMs === "number" &&
    typeof until === "number" &&
    holder !== undefined;
  return isSound ? { token, sign, ttlMs, until, holder } : undefined;
}

/** Until when a lease taken now is held. */
export function heldUntil(ttlMs: number): number {
  return uptime() + ttlMs / 1000;
}

/** When a sign was first seen from here, by our own clock that never jumps. */
export type SeenSigns = Map<string, { sign: string; since: number }>;

/**
 * Whether a lease is held. A holder on this machine holds it while it lives and its time is not up. One on another machine has a clock of its own:
 * there it counts how long, measured from here, it has given no sign.
 */
export async function isHeld(key: string, holding: LeaseHolding, seen: SeenSigns): Promise<boolean> {
  const { sign, until, ttlMs, holder } = holding;
  if (sign === "") return false;
  if (holder.machine === (await thisMachine())) return uptime() < until && (await lifeOf(holder)) !== "dead";
  const last = seen.get(key);
  if (last?.sign !== sign) seen.set(key, { sign, since: performance.now() });
  return last?.sign !== sign || performance.now() - last.since <= ttlMs;
}

import { setTimeout as delay } from "node:timers/promises";
import { ArtificerError, type Lease, type Storage } from "@artificer/protocol";

/** A process that dies holds others up for so long at most. */
const ttlMs = 15_000;
/** Whoever waited for so long goes ahead beside the other. */
const patienceMs = 60_000;

export interface OneAtATime {
  /** Looks whether another did the work meanwhile. */
  isDone: () => Promise<boolean>;
  signal?: AbortSignal;
}

/**
 * Runs work that one process can do for all, as far as the storage has leases: the others wait, and see that it is done. What is done twice
 * all the same must do no harm.
 */
export async function oneAtATime(
  storage: Storage,
  key: string,
  work: () => Promise<void>,
  { isDone, signal }: OneAtATime,
): Promise<void> {
  const { leases } = storage;
  if (leases === undefined) return work();
  const begun = performance.now();
  let lease: Lease | undefined;
  try {
    for (let pauseMs = 20; lease === undefined; pauseMs = Math.min(2 * pauseMs, 500)) {
      lease = await leases.acquire(key, { ttlMs, signal });
      // Whoever had it before may have done it between our last look and now.
      if (await isDone()) return;
      if (lease !== undefined || performance.now() - begun > patienceMs) break;
      await delay(pauseMs * (0.5 + Math.random()), undefined, { signal });
    }
    const held = lease;
    const renew = () => void (held && leases.renew(held, { ttlMs }).catch(() => {}));
    const renewing = setInterval(renew, ttlMs / 3).unref();
    try {
      await work();
    } finally {
      clearInterval(renewing);
    }
  } catch (error) {
    signal?.throwIfAborted();
    // A store that gives no lease (one that is read-only, say) costs the work of being done twice.
    if (lease !== undefined || !ArtificerError.is(error) || !error.code.startsWith("storage/")) throw error;
    await work();
  } finally {
    if (lease !== undefined) await leases.release(lease).catch(() => {});
  }
}

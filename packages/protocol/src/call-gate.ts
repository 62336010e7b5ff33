import { ArtificerError } from "./errors/artificer-error.js";

/** Lets calls in while something is open. */
export interface CallGate {
  /**
   * Runs a call. When the signal fires first its own reason is thrown, untouched, and what is under way is let finish unseen,
   * unless the gate is one that waits.
   *
   * @throws ArtificerError `storage/closed` once `close` was called.
   */
  pass<T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T>;
  readonly closed: boolean;
  /** What a call that comes too late is told. */
  closedError(): ArtificerError;
  /** Lets nobody in any more and resolves when all who are in are through. */
  close(): Promise<void>;
}

export interface CallGateOptions {
  /** For calls that heed the signal themselves: none is left to go on unseen, and after an abort nothing more happens. */
  waits?: boolean;
}

/** The gate of a storage driver: what it is called in messages, and how it is opened again. */
export function createCallGate(name: string, reopen: string, { waits = false }: CallGateOptions = {}): CallGate {
  const inside = new Set<Promise<unknown>>();
  let closed = false;
  const closedError = () =>
    new ArtificerError("storage/closed", `${name} is closed.`, { hint: `Open it again with ${reopen}.` });
  return {
    get closed() {
      return closed;
    },
    closedError,
    async pass(signal, call) {
      if (closed) throw closedError();
      signal?.throwIfAborted();
      const running = call();
      inside.add(running);
      const leave = () => inside.delete(running);
      running.then(leave, leave);
      return signal === undefined || waits ? running : settledOrAborted(running, signal);
    },
    async close() {
      closed = true;
      await Promise.allSettled(inside);
    },
  };
}

async function settledOrAborted<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([running, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

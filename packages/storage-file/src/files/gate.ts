import { ArtificerError } from "@artificer/protocol";

/** Lets calls in while the storage is open. */
export interface Gate {
  /** @throws ArtificerError `storage/closed`; the signal's own reason when it has fired. */
  pass<T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T>;
  readonly closed: boolean;
  /** Lets nobody in any more and resolves when all who are in are through. */
  close(): Promise<void>;
}

export function createGate(folder: string): Gate {
  const inside = new Set<Promise<unknown>>();
  let closed = false;
  return {
    get closed() {
      return closed;
    },
    async pass(signal, call) {
      if (closed) throw closedError(folder);
      signal?.throwIfAborted();
      const running = call();
      inside.add(running);
      try {
        return await running;
      } finally {
        inside.delete(running);
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(inside);
    },
  };
}

export function closedError(folder: string): ArtificerError {
  return new ArtificerError("storage/closed", `The storage in ${folder} is closed.`, {
    details: { folder },
    hint: "Open it again with openFileStorage.",
  });
}

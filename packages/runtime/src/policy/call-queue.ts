import { subscribeToAbort } from "../tools/abort-subscription.js";

/** Lets a bounded number of calls go on at once; others wait in the order they came. */
export interface CallQueue {
  /** Resolves with what gives the place back, once there is one. Rejects with the signal's reason when that fires first: the queue forgets the call. */
  enter(signal: AbortSignal): Promise<() => void>;
  readonly waiting: number;
}

export function createCallQueue(limit: number): CallQueue {
  const waiting = new Set<() => void>();
  let inside = 0;
  const place = () => {
    inside++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside--;
      const [next] = waiting;
      if (next === undefined) return;
      waiting.delete(next);
      next();
    };
  };
  return {
    get waiting() {
      return waiting.size;
    },
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (inside < limit && waiting.size === 0) return Promise.resolve(place());
      return new Promise((resolve, reject) => {
        const go = () => {
          unsubscribe();
          resolve(place());
        };
        const unsubscribe = subscribeToAbort(signal, (reason) => {
          waiting.delete(go);
          reject(reason);
        });
        waiting.add(go);
      });
    },
  };
}

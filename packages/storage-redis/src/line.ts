import { TimeoutError } from "@redis/client";
import { queueIsFull } from "./redis-error.js";

/** What a client tells of its line. */
interface Client {
  readonly isReady: boolean;
  on(event: "ready", heard: () => void): unknown;
}

/** The line of a client, and the calls that wait for it while it is down. */
export interface Line {
  /** Undefined while the line is up, else resolves when it is. @throws TimeoutError after the longest wait, or when too many wait */
  untilReady(): Promise<void> | undefined;
}

/**
 * Calls wait here and not in the client's own queue. What lies unsent in that when the line is lost is still written to the dead socket,
 * and from then on each answer is taken for that of the command before: so the client is made to keep none. Nor does a call need a timer
 * of its own while the line is up.
 */
export function createLine(client: Client, { waitMs, maxWaiting }: { waitMs: number; maxWaiting: number }): Line {
  const waiting = new Set<() => void>();
  client.on("ready", () => {
    for (const goOn of waiting) goOn();
  });
  return {
    untilReady() {
      if (client.isReady) return undefined;
      if (waiting.size >= maxWaiting) return Promise.reject(queueIsFull());
      return new Promise((resolve, reject) => {
        const goOn = () => {
          clearTimeout(timer);
          waiting.delete(goOn);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(goOn);
          reject(new TimeoutError());
        }, waitMs);
        waiting.add(goOn);
      });
    },
  };
}

import { promiseHooks } from "node:v8";

/**
 * V8 12 (Node 22 and 23) answers for a script whose promise was dropped from inside the garbage collector; Node's inspector then
 * calls into JavaScript and the process ends with SIGTRAP. A cell that waits for something which nobody holds, and every one that
 * was interrupted, is such a script. There its promise is held until it is settled.
 */
const needed = process.versions.v8.startsWith("12.");
const held = new Set<Promise<unknown>>();

/** Starts a script and holds its promise: the first that comes into being, before any code of the script. `letGo` is called once it is settled. */
export function holdPromise(start: (letGo: () => void) => void): void {
  if (!needed) {
    start(() => {});
    return;
  }
  let first: Promise<unknown> | undefined;
  let isOver = false;
  const stop = promiseHooks.onInit((promise) => {
    stop();
    if (first !== undefined || isOver) return;
    first = promise;
    held.add(promise);
  });
  try {
    start(() => {
      isOver = true;
      if (first !== undefined) held.delete(first);
    });
  } finally {
    stop();
  }
}

import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { promisify } from "node:util";
import { activity, currentCell } from "./activity.js";

type Callback = (...args: unknown[]) => unknown;

/**
 * Wraps a timer's callback in a promise job: ending a busy loop directly inside a timer's callback ends the whole process
 * ("async hook stack has become corrupted"). Timers of an interrupted cell don't fire.
 */
function guarded(callback: Callback): Callback {
  if (typeof callback !== "function") return callback;
  const owner = currentCell();
  return function (this: unknown, ...args: unknown[]) {
    if (owner?.interrupted === true) return;
    Promise.resolve().then(() => {
      const running = activity.cell;
      // Until it first waits, what the callback does belongs to the cell that set the timer.
      activity.cell = owner?.isOver === true ? running : owner;
      try {
        callback.apply(this, args);
      } catch (error) {
        process.nextTick(raise, error);
      } finally {
        activity.cell = running;
      }
    });
  };
}

function raise(error: unknown): never {
  throw error;
}

/** Puts guarded timers in the place of Node's, in the global scope and in `node:timers`. */
export function installTimers(): void {
  for (const name of ["setTimeout", "setInterval", "setImmediate"] as const) {
    const native = timers[name] as unknown as (callback: Callback, ...rest: unknown[]) => unknown;
    const wrapped = (callback: Callback, ...rest: unknown[]) => native(guarded(callback), ...rest);
    const waiting = timersPromises[name] as unknown as Callback;
    const held = (...args: unknown[]) =>
      name === "setInterval" ? waiting(...args) : heldBack(waiting(...args) as Promise<unknown>);
    Object.defineProperty(wrapped, "name", { value: name });
    Object.defineProperty(held, "name", { value: name });
    Object.defineProperty(wrapped, promisify.custom, { value: held, enumerable: true });
    Reflect.set(timers, name, wrapped);
    Reflect.set(timersPromises, name, held);
    Reflect.set(globalThis, name, wrapped);
  }
  syncBuiltinESMExports();
}

/** A promise that is never kept when its cell was interrupted meanwhile. */
function heldBack(promise: Promise<unknown>): Promise<unknown> {
  const owner = currentCell();
  return new Promise((resolve, reject) => {
    promise.then(
      (value) => owner?.interrupted !== true && resolve(value),
      (error: unknown) => owner?.interrupted !== true && reject(error),
    );
  });
}

import { createSignal, type Signal } from "./create-signal.js";

/** Where code of a cell waits for its test, and its test for what the code did then. */
export interface Barrier {
  /** Waits for a release; one that came before counts. */
  hold(): Promise<void>;
  /** Tells that what was to be done after the release is done. */
  pass(): void;
  /** Lets one that holds go on; settles when it has passed. */
  release(): Promise<void>;
}

export function createBarrier(): Barrier {
  const held: Signal[] = [];
  let permits = 0;
  let passed = createSignal();
  return {
    async hold() {
      if (permits > 0) {
        permits--;
        return;
      }
      const signal = createSignal();
      held.push(signal);
      await signal.given;
    },
    pass() {
      passed.give();
    },
    release() {
      passed = createSignal();
      const next = held.shift();
      if (next === undefined) permits++;
      else next.give();
      return passed.given;
    },
  };
}

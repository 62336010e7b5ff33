import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";
import { idle, type Signals, signal, told } from "./watchdog-signals.js";

/*
 * A thread beside the kernel's. While a cell runs it has the main thread look at the wire from time to time, by the inspector,
 * which gets through to code that never returns to the event loop. Answers come through shared memory: the inspector's own
 * don't arrive while a promise job holds the main thread.
 */
const { signals, name } = workerData as { signals: Signals; name: string };
const session = new Session();
session.connectToMainThread();

const lookAfterMs = 40;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function ask(method: string, params: object, patienceMs: number): number {
  Atomics.store(signals, signal.answer, told.nothing);
  session.post(method, params, () => {});
  Atomics.wait(signals, signal.answer, told.nothing, patienceMs);
  return Atomics.load(signals, signal.answer);
}

async function watch(): Promise<never> {
  for (;;) {
    Atomics.wait(signals, signal.cell, idle);
    await pause(lookAfterMs);
    if (Atomics.load(signals, signal.cell) === idle) continue;
    const answer = ask("Runtime.evaluate", { expression: `${name}.poll()`, silent: true }, 60_000);
    if (answer === told.terminate) await terminate();
  }
}

/** Ends the code that runs, again and again until nothing runs. */
async function terminate(): Promise<void> {
  for (let answer: number = told.terminate; answer !== told.over; ) {
    // Without an answer the question itself may have been ended in the place of the code: it is asked again, and no more.
    if (answer !== told.nothing) {
      session.post("Runtime.terminateExecution", () => {});
      Atomics.store(signals, signal.answer, told.nothing);
      Atomics.notify(signals, signal.answer);
    }
    await pause(4);
    answer = ask("Runtime.evaluate", { expression: `${name}.confirm()`, silent: true }, 300);
  }
}

void watch();

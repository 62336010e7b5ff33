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

/** Has the main thread look at the wire, however long it takes until it can. */
function ask(): number {
  Atomics.store(signals, signal.answer, told.nothing);
  session.post("Runtime.evaluate", { expression: `${name}.poll()`, silent: true }, () => {});
  Atomics.wait(signals, signal.answer, told.nothing);
  return Atomics.load(signals, signal.answer);
}

async function watch(): Promise<never> {
  for (;;) {
    Atomics.wait(signals, signal.cell, idle);
    await pause(lookAfterMs);
    if (Atomics.load(signals, signal.cell) === idle) continue;
    if (ask() === told.terminate) {
      session.post("Runtime.terminateExecution", () => {});
      Atomics.store(signals, signal.answer, told.nothing);
    }
  }
}

void watch();

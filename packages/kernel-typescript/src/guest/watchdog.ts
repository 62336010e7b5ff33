import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";
import { idle, type Signals, signal, told } from "./watchdog-signals.js";

type Send = (method: string, params: object) => void;

/*
 * A thread beside the kernel's. While a cell runs it has the main thread look at the wire from time to time, by the inspector,
 * which gets through to code that never returns to the event loop. Answers come through shared memory: the inspector's own
 * don't arrive while a promise job holds the main thread.
 */
const { signals, name, thread } = workerData as { signals: Signals; name: string; thread?: number };
const session = new Session();
session.connectToMainThread();
const direct: Send = (method, params) => session.post(method, params, () => {});
const sender = thread === undefined ? direct : throughMain(thread);

const lookAfterMs = 40;
const unansweredMs = 250;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The kernel is itself a thread of the host's process: the main thread's inspector passes messages on to it, however busy. */
function throughMain(kernel: number): Promise<Send> {
  let lastId = 0;
  return new Promise((resolve) => {
    session.on("NodeWorker.attachedToWorker", ({ params: { sessionId, workerInfo } }) => {
      if (!workerInfo.title.startsWith(`[worker ${kernel}]`)) {
        session.post("NodeWorker.detach", { sessionId }, () => {});
        return;
      }
      resolve((method, params) => {
        const message = JSON.stringify({ id: ++lastId, method, params });
        session.post("NodeWorker.sendMessageToWorker", { sessionId, message }, () => {});
      });
    });
    session.post("NodeWorker.enable", { waitForDebuggerOnStart: false }, () => {});
  });
}

/** Has the main thread look at the wire, however long it takes until it can. */
function ask(send: Send): number {
  Atomics.store(signals, signal.answer, told.nothing);
  send("Runtime.evaluate", { expression: `${name}.poll()`, silent: true });
  // A question that arrives together with an order to end is ended by it, unanswered: then it is asked again.
  Atomics.wait(signals, signal.answer, told.nothing, unansweredMs);
  return Atomics.load(signals, signal.answer);
}

async function watch(): Promise<never> {
  const send = await sender;
  for (;;) {
    Atomics.wait(signals, signal.cell, idle);
    await pause(lookAfterMs);
    if (Atomics.load(signals, signal.cell) === idle) continue;
    if (ask(send) === told.terminate) {
      send("Runtime.terminateExecution", {});
      Atomics.store(signals, signal.answer, told.nothing);
    }
  }
}

void watch();

import { workerData } from "node:worker_threads";
import { reachKernel, type Send } from "./watchdog-reach.js";
import { idle, phase, questionCount, type Signals, signal, wordOf } from "./watchdog-signals.js";

/*
 * A thread beside the kernel's. While a cell runs it has the kernel look at the wire from time to time, by the inspector,
 * which gets through to code that never returns to the event loop. Questions are answered through shared memory: the inspector's own
 * answers don't arrive while a promise job holds the main thread.
 */
const { signals, name, thread } = workerData as { signals: Signals; name: string; thread?: number };

const lookAfterMs = 40;
const unansweredMs = 250;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
let question = 0;

/**
 * Has the kernel look at the wire, and waits however long it takes until it can. A question may also be lost: code that is
 * ended by others, such as by a time limit of `node:vm`, ends what is evaluated on top of it. So it is sent again until it is
 * answered, which it is once: the kernel takes no notice of those that come later.
 */
function ask(send: Send): boolean {
  question = (question + 1) % questionCount;
  const asked = wordOf(question, phase.asked);
  Atomics.store(signals, signal.question, asked);
  do {
    send("Runtime.evaluate", { expression: `${name}.poll(${question})`, silent: true });
    Atomics.wait(signals, signal.question, asked, unansweredMs);
  } while (Atomics.load(signals, signal.question) === asked && Atomics.load(signals, signal.cell) !== idle);
  // Its cell is over: given up, unless it is answered right now.
  const found = Atomics.compareExchange(signals, signal.question, asked, wordOf(question, phase.goOn));
  return found === wordOf(question, phase.terminate);
}

/**
 * The kernel waits until the order has arrived, which it then carries out at once. The next question is asked when it has:
 * one that arrived with the order would be ended in the running code's place.
 */
async function order(send: Send): Promise<void> {
  const { arrived, answered } = send("Runtime.terminateExecution", {});
  await arrived;
  Atomics.store(signals, signal.question, wordOf(question, phase.ordered));
  await Promise.race([answered, pause(unansweredMs)]);
}

async function watch(): Promise<never> {
  const send = await reachKernel(thread);
  for (;;) {
    Atomics.wait(signals, signal.cell, idle);
    await pause(lookAfterMs);
    if (Atomics.load(signals, signal.cell) === idle) continue;
    if (ask(send)) await order(send);
  }
}

void watch();

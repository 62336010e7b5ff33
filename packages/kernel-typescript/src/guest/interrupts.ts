import { join } from "node:path";
import { isMainThread, threadId, Worker } from "node:worker_threads";
import { activity } from "./activity.js";
import type { Cell } from "./cell.js";
import { startImmediate } from "./primordials.js";
import { stackBelow } from "./stack-trace.js";
import { idle, type Phase, phase, type Signals, signal, watching, wordCount, wordOf } from "./watchdog-signals.js";
import type { WireChannel } from "./wire-channel.js";

/** How the watchdog reaches into the kernel while a cell holds its event loop up. */
export const watchdogName = "__watchdog$";

function absorb(): void {
  for (let i = 0; i < 3; i++);
}

/**
 * Ends cells. A cell that waits is just left behind. One that computes is ended by `Runtime.terminateExecution`, sent from
 * another thread, and only when it is certain that code is running: sent to an idle kernel, it would end the next cell.
 */
export class Interrupts {
  readonly #wire: WireChannel;
  readonly #signals: Signals = new Int32Array(new SharedArrayBuffer(wordCount * 4));
  /** What the watchdog evaluates, by this name. */
  readonly #asked = Object.freeze({ poll: (question: number) => this.#poll(question) });

  constructor(wire: WireChannel) {
    this.#wire = wire;
    Object.defineProperty(globalThis, watchdogName, {
      value: this.#asked,
      enumerable: false,
    });
  }

  /** Starts the watchdog's thread; it takes a moment, in which cells run already. */
  start(): void {
    const worker = new Worker(join(__dirname, "watchdog.cjs"), {
      workerData: { signals: this.#signals, name: watchdogName, ...(isMainThread ? {} : { thread: threadId }) },
      env: {},
      stdin: false,
    });
    worker.unref();
  }

  /** A cell begins: the watchdog looks after it until `end`. */
  begin(): void {
    Atomics.store(this.#signals, signal.cell, watching);
    Atomics.notify(this.#signals, signal.cell);
  }

  end(): void {
    Atomics.store(this.#signals, signal.cell, idle);
  }

  /** Ends a cell, by the request of the host. The event loop calls it, so no code runs: a cell that waits is left behind. */
  interrupt(cell: Cell): void {
    if (!cell.terminating) cell.end({ kind: "interrupted", trace: "" });
  }

  /** Asked by the watchdog, inside whatever code is running: has the host said anything? */
  #poll(question: number): void {
    if (Atomics.load(this.#signals, signal.question) !== wordOf(question, phase.asked)) return;
    const { cell } = activity;
    this.#wire.poll((frame) => {
      const { type, id } = frame.header as { type?: string; id?: number };
      if (type === "cancel" && cell !== undefined && id === cell.request) cell.unwanted = true;
    });
    if (cell?.unwanted === true && !cell.isOver) {
      const { busy, frames } = stackBelow(this.#asked.poll);
      // It is over once the event loop has its turn. Until then the watchdog asks and orders again.
      startImmediate(() => cell.end({ kind: "interrupted", trace: frames }));
      // Between two promise jobs no code is on the stack, and still they may keep the event loop from its turn for ever.
      if (busy || ++cell.overstays > 2) {
        this.#terminate(cell, question);
        return;
      }
    }
    this.#answer(question, phase.goOn);
  }

  /**
   * Has the running code ended. Until the watchdog's order has arrived, nothing may go on here: it is carried out right after
   * this, with the code still on the stack. Any later it could hit whatever runs next. However long that takes: a host that is
   * too busy to pass the order on is also too busy to give the kernel up.
   */
  #terminate(cell: Cell, question: number): void {
    if (!this.#answer(question, phase.terminate)) return;
    cell.terminating = true;
    // Should the code end by itself right now, the order ends this job in its place.
    queueMicrotask(absorb);
    // Not by Atomics.wait: the code below may be blocked in one, and a thread has room for one only.
    const ordering = wordOf(question, phase.terminate);
    while (Atomics.load(this.#signals, signal.question) === ordering);
  }

  /** False for a question that the watchdog has given up meanwhile. */
  #answer(question: number, answer: Phase): boolean {
    const asked = wordOf(question, phase.asked);
    if (Atomics.compareExchange(this.#signals, signal.question, asked, wordOf(question, answer)) !== asked)
      return false;
    Atomics.notify(this.#signals, signal.question);
    return true;
  }
}

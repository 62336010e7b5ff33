import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { activity } from "./activity.js";
import type { Cell } from "./cell.js";
import { now, startImmediate } from "./primordials.js";
import { stackBelow } from "./stack-trace.js";
import { idle, type Signals, signal, told, watching, wordCount } from "./watchdog-signals.js";
import type { WireChannel } from "./wire-channel.js";

/** How the watchdog reaches into the kernel while a cell holds its event loop up. */
export const watchdogName = "__watchdog$";

/**
 * Ends cells. A cell that waits is just left behind. One that computes is ended by `Runtime.terminateExecution`, sent from
 * another thread, and only when it is certain that code is running: sent to an idle kernel, it would end the next cell.
 */
export class Interrupts {
  readonly #wire: WireChannel;
  readonly #signals: Signals = new Int32Array(new SharedArrayBuffer(wordCount * 4));
  /** What the watchdog evaluates, by this name. */
  readonly #asked = Object.freeze({ poll: () => this.#poll(), confirm: () => this.#confirm() });
  #trace = "";

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
      workerData: { signals: this.#signals, name: watchdogName },
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
  #poll(): void {
    const { cell } = activity;
    this.#wire.poll((frame) => {
      const { type, id } = frame.header as { type?: string; id?: number };
      if (type === "cancel" && cell !== undefined && id === cell.request) cell.unwanted = true;
    });
    if (cell?.unwanted === true && !cell.isOver) {
      const { busy, frames } = stackBelow(this.#asked.poll);
      // The event loop would have left the cell by now: promise jobs without end keep it from its turn.
      const stuck = ++cell.overstays > 2;
      if (busy || stuck) {
        this.#trace = frames;
        cell.terminating = true;
        this.#order(told.terminate);
        return;
      }
    }
    this.#tell(told.goOn);
  }

  /** Asked by the watchdog after it ended code: is it really over? Run while nothing else does, it is. */
  #confirm(): void {
    const { cell } = activity;
    // A question that was asked twice may come when another cell runs.
    const meant = cell?.terminating === true;
    if (meant && stackBelow(this.#asked.confirm).busy) {
      this.#order(told.terminate);
      return;
    }
    this.#tell(told.over);
    const trace = this.#trace;
    if (meant) startImmediate(() => cell.end({ kind: "interrupted", trace }));
  }

  /**
   * Has the running code ended. Until the watchdog has sent its order, nothing may go on here: it is carried out right after
   * this, with the code still on the stack. Any later it could hit whatever runs next.
   */
  #order(answer: number): void {
    this.#tell(answer);
    // Not by Atomics.wait: the code below may be blocked in one, and a thread has room for one only.
    const until = now() + 2000;
    while (Atomics.load(this.#signals, signal.answer) === answer && now() < until);
  }

  #tell(answer: number): void {
    Atomics.store(this.#signals, signal.answer, answer);
    Atomics.notify(this.#signals, signal.answer);
  }
}

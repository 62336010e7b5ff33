import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { activity } from "./activity.js";
import type { Cell } from "./cell.js";
import { startImmediate } from "./primordials.js";
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

  /** Ends a cell, by the request of the host. Called by the event loop when it is free, by `poll` when it may not be. */
  interrupt(cell: Cell): void {
    cell.unwanted = true;
    // Between two promise jobs no code is on the stack, and yet the event loop may never be reached: only it can tell.
    if (this.#polling) startImmediate(() => this.#leave(cell));
    else this.#leave(cell);
  }

  /** A cell that only waits is left behind. */
  #leave(cell: Cell): void {
    if (!cell.terminating) cell.end({ kind: "interrupted", trace: "" });
  }

  #polling = false;

  /** Asked by the watchdog, inside whatever code is running: has the host said anything? */
  #poll(): void {
    this.#polling = true;
    try {
      this.#wire.poll();
    } finally {
      this.#polling = false;
    }
    const { cell } = activity;
    let answer: number = told.goOn;
    if (cell?.unwanted === true && !cell.isOver) {
      const { busy, frames } = stackBelow(this.#asked.poll);
      // The event loop would have left the cell by now: promise jobs without end keep it from its turn.
      const stuck = ++cell.overstays > 2;
      if (busy || stuck) {
        this.#trace = frames;
        cell.terminating = true;
        answer = told.terminate;
      }
    }
    this.#tell(answer);
  }

  /** Asked by the watchdog after it ended code: is it really over? Run while nothing else does, it is. */
  #confirm(): void {
    const { busy } = stackBelow(this.#asked.confirm);
    this.#tell(busy ? told.goOn : told.over);
    if (busy) return;
    const { cell } = activity;
    const trace = this.#trace;
    if (cell !== undefined) startImmediate(() => cell.end({ kind: "interrupted", trace }));
  }

  #tell(answer: number): void {
    Atomics.store(this.#signals, signal.answer, answer);
    Atomics.notify(this.#signals, signal.answer);
  }
}

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
  #trace = "";

  constructor(wire: WireChannel) {
    this.#wire = wire;
    Object.defineProperty(globalThis, watchdogName, {
      value: Object.freeze({ poll: () => this.#poll(), confirm: () => this.#confirm() }),
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

  /** Ends a cell, by the request of the host. Called by the event loop when it is free, by `poll` when it is not. */
  interrupt(cell: Cell): void {
    const { busy, frames } = stackBelow(this.#entry);
    if (!busy || !this.#polling) {
      cell.end({ kind: "interrupted", trace: "" });
      return;
    }
    this.#trace = frames;
    cell.terminating = true;
    Atomics.store(this.#signals, signal.answer, told.terminate);
  }

  #polling = false;
  #entry: () => unknown = () => undefined;

  /** Asked by the watchdog, inside whatever code is running: has the host said anything? */
  #poll(): void {
    const entry = globalThis[watchdogName as keyof typeof globalThis] as unknown as { poll: () => void };
    this.#entry = entry.poll;
    this.#polling = true;
    try {
      this.#wire.poll();
    } finally {
      this.#polling = false;
    }
    if (Atomics.load(this.#signals, signal.answer) === told.nothing)
      Atomics.store(this.#signals, signal.answer, told.goOn);
    Atomics.notify(this.#signals, signal.answer);
  }

  /** Asked by the watchdog after it ended code: is it really over? Run while nothing else does, it is. */
  #confirm(): void {
    const entry = globalThis[watchdogName as keyof typeof globalThis] as unknown as { confirm: () => void };
    const { busy } = stackBelow(entry.confirm);
    Atomics.store(this.#signals, signal.answer, busy ? told.goOn : told.over);
    Atomics.notify(this.#signals, signal.answer);
    if (busy) return;
    const { cell } = activity;
    const trace = this.#trace;
    if (cell !== undefined) startImmediate(() => cell.end({ kind: "interrupted", trace }));
  }
}

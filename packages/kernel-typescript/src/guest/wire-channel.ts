import { encodeFrame, type Frame, FrameDecoder } from "@artificer/protocol";
import { endProcess, now, startImmediate } from "./primordials.js";
import type { Transport } from "./transport/transport.js";

const parking = new Int32Array(new SharedArrayBuffer(4));

/**
 * The private channel to the host. Reading is done by the event loop; while a cell holds the loop up, the watchdog has
 * `poll` read what has arrived. The channel's end is the kernel's end.
 */
export class WireChannel {
  readonly #transport: Transport;
  readonly #decoder = new FrameDecoder();
  /** The kernel's secret, once it is known. */
  key: string | undefined;
  #onFrame: (frame: Frame) => void = () => {};
  /** Far from the ids of other requests. */
  #nextSettle = 2 ** 40;
  /** Frames read by `poll`, in the order they came, for the event loop to hand on. */
  #held: Frame[] = [];

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.onBytes = (chunk) => this.#take(chunk);
  }

  set onFrame(receive: (frame: Frame) => void) {
    this.#onFrame = receive;
  }

  /** Sends a message with the kernel's secret in it. */
  send(header: object, parts: readonly Uint8Array[] = []): void {
    this.#transport.send(encodeFrame({ ...header, key: this.key }, parts));
  }

  /**
   * Reads what has arrived without waiting for the event loop to do so. Only `urgent` sees it at once: whatever else would run
   * code here runs it inside the watchdog's question, where nothing could interrupt it.
   */
  poll(urgent: (frame: Frame) => void): void {
    this.#read(urgent);
    if (this.#held.length > 0) startImmediate(() => this.#release());
  }

  /**
   * Holds all else up until the host says that it has read all output written before, or `patienceMs` have passed. Whatever
   * else arrives meanwhile is handed on later.
   */
  settle(patienceMs: number): void {
    // Without the secret the host would take the question for a forgery.
    if (this.key === undefined) return;
    const id = this.#nextSettle++;
    const until = now() + patienceMs;
    let settled = false;
    const look = ({ header }: Frame) => {
      const { type, id: answered } = header as { type?: string; id?: number };
      if (type === "response" && answered === id) settled = true;
    };
    this.send({ type: "request", id, method: "output.settle", params: null });
    while (!settled && now() < until) {
      this.poll(look);
      if (!settled) Atomics.wait(parking, 0, 0, 0.05);
    }
  }

  #read(urgent: (frame: Frame) => void): void {
    this.#transport.poll((chunk) => {
      for (const frame of this.#decode(chunk)) {
        this.#held.push(frame);
        urgent(frame);
      }
    });
  }

  #take(chunk: Uint8Array): void {
    const frames = this.#decode(chunk);
    this.#release();
    for (const frame of frames) this.#onFrame(frame);
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const frame of held) this.#onFrame(frame);
  }

  #decode(chunk: Uint8Array): Frame[] {
    try {
      return this.#decoder.push(chunk);
    } catch {
      // The host never sends a bad frame: someone else wrote to the channel, and nothing on it can be trusted any more.
      endProcess();
      return [];
    }
  }
}

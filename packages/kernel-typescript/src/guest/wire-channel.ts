import { readSync } from "node:fs";
import { Socket } from "node:net";
import { encodeFrame, type Frame, FrameDecoder } from "@artificer/protocol";
import { endProcess, now, startImmediate } from "./primordials.js";

const readBytes = 256 * 1024;
const parking = new Int32Array(new SharedArrayBuffer(4));

/**
 * The private channel to the host. Reading is done by the event loop; while a cell holds the loop up, the watchdog has
 * `poll` read what has arrived. The channel's end is the kernel's end.
 */
export class WireChannel {
  readonly #socket: Socket;
  readonly #descriptor: number;
  readonly #decoder = new FrameDecoder();
  /** The kernel's secret, once it is known. */
  key: string | undefined;
  #onFrame: (frame: Frame) => void = () => {};
  /** Far from the ids of other requests. */
  #nextSettle = 2 ** 40;
  /** Frames read by `poll`, in the order they came, for the event loop to hand on. */
  #held: Frame[] = [];

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    const onread = {
      buffer: new Uint8Array(readBytes),
      callback: (count: number, buffer: Uint8Array) => {
        this.#take(buffer.slice(0, count));
        return true;
      },
    };
    this.#socket = new Socket({ fd: descriptor, readable: true, writable: true, onread } as ConstructorParameters<
      typeof Socket
    >[0]);
    this.#socket.on("end", endProcess);
    this.#socket.on("close", endProcess);
    this.#socket.on("error", endProcess);
    this.#socket.resume();
  }

  set onFrame(receive: (frame: Frame) => void) {
    this.#onFrame = receive;
  }

  /** Sends a message with the kernel's secret in it. */
  send(header: object, parts: readonly Uint8Array[] = []): void {
    const chunks = encodeFrame({ ...header, key: this.key }, parts);
    if (chunks.length === 1) {
      this.#socket.write(chunks[0]!);
      return;
    }
    this.#socket.cork();
    for (const chunk of chunks) this.#socket.write(chunk);
    this.#socket.uncork();
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
    const buffer = new Uint8Array(64 * 1024);
    for (let full = true; full; ) {
      let count: number;
      try {
        count = readSync(this.#descriptor, buffer);
      } catch {
        // Nothing there (EAGAIN), or the channel is broken, which the event loop will find.
        return;
      }
      if (count === 0) endProcess();
      full = count === buffer.length;
      for (const frame of this.#decode(buffer.slice(0, count))) {
        this.#held.push(frame);
        urgent(frame);
      }
    }
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

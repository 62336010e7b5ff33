import { Console } from "node:console";
import { writeSync } from "node:fs";
import { Writable } from "node:stream";
import { activity, currentCell } from "./activity.js";

const parking = new Int32Array(new SharedArrayBuffer(4));

/** Whether something may have been written to the streams that the kernel can't see. Once unsure, always unsure. */
export const outputDoubt = { wrote: false, always: false };

/** The stream written last, and how to wait until the host has read it: two streams keep their order only so. */
export const outputOrder: { last: 1 | 2 | undefined; settle: () => void } = { last: undefined, settle: () => {} };

/** Where output goes when the kernel is a thread, which has no descriptors of its own. */
export const outputSink: { write: ((descriptor: number, bytes: Uint8Array) => void) | undefined } = {
  write: undefined,
};

/** Writes all of it before it returns, so that output keeps its order with that of child processes. */
export function writeThrough(descriptor: number, bytes: Uint8Array): void {
  outputDoubt.wrote = true;
  if (outputSink.write !== undefined) {
    outputSink.write(descriptor, bytes);
    return;
  }
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A child that shares the descriptor may have made it non-blocking.
      if (code === "EAGAIN") Atomics.wait(parking, 0, 0, 2);
      else if (code === "EPIPE" || code === "EBADF") return;
      else throw error;
    }
  }
}

function standardStream(descriptor: 1 | 2): NodeJS.WriteStream {
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Uint8Array, _encoding, done) {
      if (outputOrder.last !== undefined && outputOrder.last !== descriptor) outputOrder.settle();
      outputOrder.last = descriptor;
      // An interrupted cell is over: nothing it prints can belong to another.
      writeThrough(descriptor, chunk);
      done();
    },
  });
  Object.assign(stream, { fd: descriptor, isTTY: false, _type: "pipe", destroySoon: () => {} });
  stream.destroy = () => stream;
  return stream as unknown as NodeJS.WriteStream;
}

/** Puts streams that write at once in the place of Node's own, and a console upon them that keeps nothing it was given. */
export function installOutput(): void {
  const stdout = standardStream(1);
  const stderr = standardStream(2);
  Object.defineProperty(process, "stdout", { value: stdout, configurable: true, enumerable: true, writable: true });
  Object.defineProperty(process, "stderr", { value: stderr, configurable: true, enumerable: true, writable: true });
  const native = console;
  const own = new Console({ stdout, stderr, colorMode: false });
  for (const key of Reflect.ownKeys(native)) {
    if (!(key in own)) Reflect.set(own, key, Reflect.get(native, key));
  }
  globalThis.console = own;
  const { _rawDebug: rawDebug } = process as unknown as { _rawDebug: (...args: unknown[]) => void };
  Object.assign(process, {
    _rawDebug: (...args: unknown[]) => {
      outputDoubt.wrote = true;
      rawDebug(...args);
    },
  });
}

/** Tells something that belongs to no cell's result, such as an exception in a timer. */
export function tell(text: string): void {
  writeThrough(2, Buffer.from(`${text}\n`));
}

/** The cell that a late event most likely comes from, in words. */
export function whereabouts(): string {
  const cell = currentCell();
  if (cell === undefined) return "before any cell";
  return activity.cell === cell ? `in cell ${cell.number}` : `in the background, after cell ${cell.number}`;
}

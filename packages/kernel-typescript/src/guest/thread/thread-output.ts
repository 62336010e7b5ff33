import type { ThreadStart } from "@artificer/protocol";

const parking = new Int32Array(new SharedArrayBuffer(4));
/** A cell that prints faster than the host reads waits for it. */
const mostUnread = 8 * 2 ** 20;

/** Writes output of a thread, which has no descriptors of its own: to the host, both streams over one port and so in order. */
export function threadOutput({ output, unread }: ThreadStart): (descriptor: number, bytes: Uint8Array) => void {
  const count = new Int32Array(unread);
  return (descriptor, bytes) => {
    const own = new Uint8Array(bytes);
    Atomics.add(count, 0, own.byteLength);
    output.postMessage({ stream: descriptor === 2 ? "stderr" : "stdout", bytes: own }, [own.buffer]);
    while (Atomics.load(count, 0) > mostUnread) Atomics.wait(parking, 0, 0, 2);
  };
}

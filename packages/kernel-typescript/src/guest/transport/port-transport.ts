import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { endProcess } from "../primordials.js";
import type { Transport } from "./transport.js";

/** The channel of a kernel that is a thread of its host's process: the same bytes, over a message port. */
export function openPortTransport(port: MessagePort): Transport {
  let take: (chunk: Uint8Array) => void = () => {};
  port.on("message", (chunk: Uint8Array) => take(chunk));
  port.on("close", endProcess);
  return {
    get onBytes() {
      return take;
    },
    set onBytes(receive) {
      take = receive;
    },
    send(chunks) {
      for (const chunk of chunks) {
        // The port would copy all of the memory that a chunk is a view of.
        const own = new Uint8Array(chunk);
        port.postMessage(own, [own.buffer]);
      }
    },
    poll(receive) {
      for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port))
        receive(got.message as Uint8Array);
    },
  };
}

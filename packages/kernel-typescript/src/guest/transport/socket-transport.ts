import { readSync } from "node:fs";
import { type ConnectOpts, Socket, type SocketConstructorOpts } from "node:net";
import { endEverything } from "../end-everything.js";
import type { Transport } from "./transport.js";

const readBytes = 256 * 1024;

/**
 * Opens the channel that a process is given: `fd:N`, a descriptor that it has inherited, or `unix:PATH`, a socket that it
 * connects to. `ready` is called at once for the first, and when it is connected for the second. False: no such address.
 */
export function openSocketTransport(address: string, ready: (transport: Transport) => void): boolean {
  const [, kind, where = ""] = /^(fd|unix):(.+)$/.exec(address) ?? [];
  if (kind === undefined || (kind === "fd" && !/^\d+$/.test(where))) return false;
  let take: (chunk: Uint8Array) => void = () => {};
  const onread = {
    buffer: new Uint8Array(readBytes),
    callback(count: number, buffer: Uint8Array) {
      take(buffer.slice(0, count));
      return true;
    },
  };
  const begin = (socket: Socket, descriptor: number) => {
    const transport: Transport = {
      get onBytes() {
        return take;
      },
      set onBytes(receive) {
        take = receive;
      },
      send(chunks) {
        if (chunks.length > 1) socket.cork();
        for (const chunk of chunks) socket.write(chunk);
        if (chunks.length > 1) socket.uncork();
      },
      poll: (receive) => readAll(descriptor, receive),
    };
    ready(transport);
    socket.resume();
  };
  const endWith = (socket: Socket) =>
    socket.on("end", endEverything).on("close", endEverything).on("error", endEverything);
  if (kind === "fd") {
    const options = { fd: Number(where), readable: true, writable: true, onread };
    const socket = new Socket(options as SocketConstructorOpts);
    begin(endWith(socket), Number(where));
    return true;
  }
  const options = { readable: true, writable: true, onread } as SocketConstructorOpts;
  const socket = new Socket(options);
  socket.on("connect", () => {
    const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
    begin(socket, fd);
  });
  socket.connect({ path: where, onread } as { path: string } & ConnectOpts);
  endWith(socket);
  return true;
}

function readAll(descriptor: number, take: (chunk: Uint8Array) => void): void {
  const buffer = new Uint8Array(64 * 1024);
  for (let full = true; full; ) {
    let count: number;
    try {
      count = readSync(descriptor, buffer);
    } catch {
      // Nothing there (EAGAIN), or the channel is broken, which the event loop will find.
      return;
    }
    if (count === 0) endEverything();
    full = count === buffer.length;
    take(buffer.slice(0, count));
  }
}

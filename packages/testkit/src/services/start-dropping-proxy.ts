import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** What stands between a client and its server, and may cut the line. */
export interface DroppingProxy {
  readonly port: number;
  /** Cuts every connection at once, with nothing said. New ones are let through. */
  cut(): void;
  /** Lets nobody through until it is called with false: connections that are open hang, new ones are accepted and hang too. */
  silence(silent: boolean): void;
  /** Cuts each connection, the ones to come too, after so many more bytes of the server's have passed; undefined ends that. */
  cutAfter(bytes: number | undefined): void;
  stop(): Promise<void>;
}

export async function startDroppingProxy(target: { host: string; port: number }): Promise<DroppingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let silent = false;
  let left: number | undefined;
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      for (const socket of pair) socket.destroy();
      pairs.delete(pair);
    };
    for (const socket of pair) {
      if (silent) socket.pause();
      socket.on("error", end).on("close", end);
    }
    client.on("data", (data) => upstream.write(data));
    upstream.on("data", (data) => {
      if (left === undefined) return void client.write(data);
      const passed = data.subarray(0, left);
      left -= passed.byteLength;
      client.write(passed, () => {
        if (left === 0) end();
      });
    });
    if (silent) for (const socket of pair) socket.pause();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return {
    port: address.port,
    cut,
    silence(value) {
      silent = value;
      for (const pair of pairs) for (const socket of pair) silent ? socket.pause() : socket.resume();
    },
    cutAfter(bytes) {
      left = bytes;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}

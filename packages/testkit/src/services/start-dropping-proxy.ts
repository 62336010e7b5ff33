import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** What stands between a client and its server, and may cut, silence or slow the line. */
export interface DroppingProxy {
  readonly port: number;
  /** Cuts every connection at once, with nothing said. New ones are let through. */
  cut(): void;
  /** Lets nobody through until it is called with false: connections that are open hang, new ones are accepted and hang too. */
  silence(silent: boolean): void;
  /** Cuts each connection, the ones to come too, after so many more bytes of answers or of requests have passed; undefined ends that. */
  cutAfter(bytes: number | undefined, what?: "answers" | "requests"): void;
  /** Holds everything back for so long, both ways, in milliseconds. */
  delay(milliseconds: number): void;
  stop(): Promise<void>;
}

export async function startDroppingProxy(target: { host: string; port: number }): Promise<DroppingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let silent = false;
  let delayMs = 0;
  const left: { answers?: number; requests?: number } = {};
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
    for (const socket of pair) socket.on("error", end).on("close", end);
    const pass = (to: Socket, what: "answers" | "requests", data: Buffer) => {
      if (to.destroyed) return;
      const allowed = left[what];
      if (allowed === undefined) return void to.write(data);
      const passed = data.subarray(0, allowed);
      left[what] = allowed - passed.byteLength;
      to.write(passed, () => {
        if (left[what] === 0) end();
      });
    };
    // One after another also when the delay changes in between.
    const forward = (from: Socket, to: Socket, what: "answers" | "requests") => {
      let last: Promise<unknown> = Promise.resolve();
      let waiting = 0;
      from.on("data", (data) => {
        if (delayMs === 0 && waiting === 0) return pass(to, what, data);
        waiting++;
        const due = new Promise((resolve) => setTimeout(resolve, delayMs));
        last = Promise.all([last, due]).then(() => {
          waiting--;
          pass(to, what, data);
        });
      });
    };
    forward(client, upstream, "requests");
    forward(upstream, client, "answers");
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
    cutAfter(bytes, what = "answers") {
      left[what] = bytes;
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}

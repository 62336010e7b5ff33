import { connect } from "node:net";

/** Whether a server that is starting answers a first message as it does when it is ready. */
export function acceptsClients(
  port: number,
  hello: Uint8Array | string,
  isReady: (answer: Buffer) => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once("error", () => answer(false)).once("close", () => answer(false));
    socket.once("data", (data) => answer(isReady(data)));
    socket.write(hello);
  });
}

import { freePort } from "./free-port.js";

/** Starts a server on a free port; on another one when somebody took it in between. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<{ port: number; started: T }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return { port, started: await start(port) };
    } catch (error) {
      if (attempt === 5 || !/in use/i.test(String(error))) throw error;
    }
  }
}

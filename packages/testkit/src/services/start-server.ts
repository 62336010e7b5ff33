import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { locateProgram } from "./find-program.js";

export interface ServerProcess {
  stop(signal: NodeJS.Signals): Promise<void>;
}

/** Another process may have the port for a moment, as its own end of a line. */
const portPatienceMs = 10_000;

/**
 * Starts a program and waits until `ready` resolves; on Linux it ends with the process that started it, however that ends.
 *
 * @throws when it ends before it is ready, with what it wrote.
 */
export async function startServer(
  command: string[],
  ready: () => Promise<boolean>,
  options: { cwd?: string } = {},
): Promise<ServerProcess> {
  for (const end = Date.now() + portPatienceMs; ; ) {
    try {
      return await startOnce(command, ready, options);
    } catch (error) {
      if (Date.now() > end || !/address already in use/i.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function startOnce(
  command: string[],
  ready: () => Promise<boolean>,
  options: { cwd?: string },
): Promise<ServerProcess> {
  const [program = "", ...args] = [...(await endingWithUs()), ...command];
  const child: ChildProcess = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let said = "";
  let failure: Error | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data: Buffer) => {
      said = (said + data.toString()).slice(-4_000);
    });
  child.once("error", (error) => {
    failure = error;
  });
  const ended = () => failure !== undefined || child.exitCode !== null || child.signalCode !== null;
  const killOnExit = () => child.kill("SIGKILL");
  process.once("exit", killOnExit);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void closed.then(() => process.off("exit", killOnExit));
  while (!(await ready())) {
    // Its last words may come after its end.
    if (ended()) await closed;
    if (ended()) throw new Error(`${command.join(" ")} ended before it was ready: ${failure?.message ?? ""}${said}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    async stop(signal) {
      if (ended()) return;
      child.kill(signal);
      await closed;
    },
  };
}

/** What comes before a command, so that it ends even when this process is killed; nothing where there is no such thing. */
async function endingWithUs(): Promise<string[]> {
  const setpriv = await locateProgram({ name: "setpriv" });
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig=QUIT"];
}

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return address.port;
}

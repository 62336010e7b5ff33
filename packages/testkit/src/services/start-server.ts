import { type ChildProcess, spawn } from "node:child_process";
import { locateProgram } from "./find-program.js";

export interface ServerProcess {
  stop(signal: NodeJS.Signals): Promise<void>;
}

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

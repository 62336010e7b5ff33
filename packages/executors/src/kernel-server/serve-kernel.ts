import type { Duplex } from "node:stream";
import {
  ArtificerError,
  type Executor,
  type KernelChannel,
  type KernelProgram,
  toArtificerError,
} from "@artificer/protocol";
import { openMessages, type StartMessage, type ToHost, type ToServer } from "./server-messages.js";

interface ServeOptions {
  executor: Executor;
  programs: readonly KernelProgram[];
  cwd: string;
  /** What kernels get besides what their host sends. */
  env: Readonly<Record<string, string>>;
  /** Called once, when the kernel no longer takes up room: before its host is told. */
  onOver(): void;
}

/** A kernel prints faster than its host reads: past this it is ended rather than take the server's memory. */
const mostUnreadBytes = 256 * 2 ** 20;

/** Carries one kernel over a connection: started by its first message, ended with the connection. Resolves when both are over. */
export async function serveKernel(socket: Duplex, head: Uint8Array, options: ServeOptions): Promise<void> {
  let kernel: KernelChannel | undefined;
  let starting: Promise<void> | undefined;
  const waiting: Uint8Array[] = [];
  const closed = new Promise<void>((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined);
  socket.on("end", () => socket.destroy());

  const { take, send } = openMessages<ToHost, ToServer>(socket, (message, bytes) => {
    if (message.type === "start" && starting === undefined) starting = start(message);
    else if (message.type === "bytes" && bytes !== undefined) {
      if (kernel === undefined) waiting.push(bytes);
      else kernel.send([bytes]);
    } else if (message.type === "kill") void kernel?.kill();
    else socket.destroy();
  });

  async function start(message: StartMessage): Promise<void> {
    try {
      kernel = await options.executor.start(specOf(message, options));
    } catch (thrown) {
      options.onOver();
      send({ type: "refused", error: toArtificerError(thrown, "kernel/start-failed").toJSON() });
      socket.end();
      return;
    }
    const started = kernel;
    if (socket.destroyed) return started.kill();
    send({ type: "started" });
    started.onBytes = (chunk) => send({ type: "bytes" }, chunk);
    started.onOutput = (stream, chunk) => {
      send({ type: "output", stream }, chunk);
      if (socket.writableLength > mostUnreadBytes) socket.destroy();
    };
    if (waiting.length > 0) started.send(waiting);
    const exit = await started.exited;
    options.onOver();
    send({ type: "exited", exit });
    socket.end();
  }

  socket.on("data", take);
  if (head.byteLength > 0) take(head);
  await closed;
  await kernel?.kill();
  await starting;
  await kernel?.kill();
  options.onOver();
}

function specOf({ language, interpreter, env, limits }: StartMessage, { programs, cwd, env: own }: ServeOptions) {
  const program = programs.find((one) => one.language === language);
  if (program === undefined) {
    throw new ArtificerError("executor/unsupported", `The kernel server runs no ${String(language)} kernel.`, {
      hint: `It runs ${programs.map((one) => one.language).join(", ")}.`,
    });
  }
  return { program, ...(interpreter === undefined ? {} : { interpreter }), cwd, env: { ...env, ...own }, limits };
}

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
  /** How much of what it has said may wait for its host to read it; past this it is ended rather than take the server's memory. */
  maxUnreadBytes: number;
  /** Called, at least once, when the kernel no longer takes up room: before its host is told. */
  onOver(): void;
}

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
    let isOver = false;
    const forward = (message: ToHost, chunk: Uint8Array) => {
      if (isOver) return;
      send(message, chunk);
      if (socket.writableLength <= options.maxUnreadBytes) return;
      isOver = true;
      void started.kill();
    };
    started.onBytes = (chunk) => forward({ type: "bytes" }, chunk);
    started.onOutput = (stream, chunk) => forward({ type: "output", stream }, chunk);
    if (waiting.length > 0) started.send(waiting);
    const exit = await started.exited;
    // What is unread takes room until the connection is over.
    if (!isOver) options.onOver();
    send({ type: "exited", exit: isOver ? { ...exit, limit: "unread-output" } : exit });
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

import { chmod, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { ArtificerError, type Executor, type KernelProgram } from "@artificer/protocol";
import { bearsToken, checkToken } from "./check-token.js";
import { serveKernel } from "./serve-kernel.js";
import { upgradeTo } from "./server-messages.js";

export interface KernelServerOptions {
  /** What every request has to bear, of at least 16 characters. There is no server without it. */
  token: string | undefined;
  /** Where it listens: `host:port`, where port 0 is any that is free, or `unix:PATH`. */
  listen: string;
  /** Starts the kernels; closed by whoever opened it. */
  executor: Executor;
  programs: readonly KernelProgram[];
  /** Where kernels begin. Default: this process's working folder. */
  cwd?: string;
  /** Whether the executor gives each kernel a user of its own: told to hosts. */
  apart?: boolean;
  /** Variables of every kernel: its PATH and HOME. */
  env?: Readonly<Record<string, string>>;
  /** Kernels at once, over all hosts. Default 64. */
  maxKernels?: number;
  /**
   * Bytes of a kernel's output and messages that its host may leave unread. Past this the kernel is ended, which is told as
   * `cell/unread-output`. Default 256 MiB.
   */
  maxUnreadBytes?: number;
}

/** A running kernel server. */
export interface KernelServer {
  /** What hosts reach it by. */
  url: string;
  /** Ends it with all its kernels. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts kernels for hosts elsewhere and carries their wires: to be run inside a container, whose walls are then theirs.
 * Kernels of one server are kept from each other by nothing but the operating system's rights: by those of users, where
 * `kernelUsers` has some to give.
 *
 * @throws ArtificerError `config/invalid` without a token, or for an address that is none
 */
export async function openKernelServer(options: KernelServerOptions): Promise<KernelServer> {
  const token = checkToken(options.token);
  const {
    executor,
    programs,
    listen,
    cwd = process.cwd(),
    env = {},
    apart = false,
    maxKernels = 64,
    maxUnreadBytes = 256 * 2 ** 20,
  } = options;
  const serving = new Map<Duplex, Promise<void>>();
  /** Connections whose kernel takes up room. */
  const taken = new Set<Duplex>();
  const isAllowed = (request: IncomingMessage) => bearsToken(request.headers.authorization, token);

  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    response.sendDate = false;
    // Before anything else is looked at; who has no token learns nothing.
    if (!isAllowed(request)) return void response.writeHead(401, { "Content-Length": 0, Connection: "close" }).end();
    if (request.url !== "/") return void response.writeHead(404).end();
    const body = JSON.stringify({ languages: programs.map(({ language }) => language), kernels: taken.size, apart });
    response.writeHead(200, { "Content-Type": "application/json" }).end(body);
  });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => undefined);
    const refuse = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    if (!isAllowed(request)) return void refuse("401 Unauthorized");
    if (request.url !== "/kernels" || request.headers.upgrade !== upgradeTo) return void refuse("400 Bad Request");
    if (taken.size >= maxKernels) return void refuse("503 Service Unavailable");
    taken.add(socket);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgradeTo}\r\n\r\n`);
    const onOver = () => taken.delete(socket);
    const served = serveKernel(socket, head, { executor, programs, cwd, env, maxUnreadBytes, onOver });
    serving.set(
      socket,
      served.finally(() => serving.delete(socket)),
    );
  });

  const url = await begin(server, listen);
  let closing: Promise<void> | undefined;
  return {
    url,
    close() {
      closing ??= (async () => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        const served = Array.from(serving.values());
        for (const socket of serving.keys()) socket.destroy();
        server.closeAllConnections();
        await Promise.all([closed, ...served]);
      })();
      return closing;
    },
  };
}

async function begin(server: Server, listen: string): Promise<string> {
  const path = /^unix:(.+)$/.exec(listen)?.[1];
  const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(listen) ?? [];
  if (path === undefined && host === "") {
    throw new ArtificerError("config/invalid", `A kernel server listens at host:port or unix:PATH, not at ${listen}.`, {
      hint: "For example 127.0.0.1:8787, or unix:/run/artificer/kernels.",
    });
  }
  if (path !== undefined) await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (path === undefined) server.listen(Number(port), host.replace(/^\[|\]$/g, ""), resolve);
    else server.listen(path, resolve);
  });
  if (path !== undefined) {
    // Who may enter the folder may connect; what they may do there, the token decides.
    await chmod(path, 0o666);
    return `unix:${path}`;
  }
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

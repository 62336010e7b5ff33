import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import {
  ArtificerError,
  type Executor,
  errorFromJson,
  type KernelChannel,
  type KernelExit,
  type KernelSpec,
  toArtificerError,
} from "@artificer/protocol";
import { createChannelInbox } from "../child-process/channel-inbox.js";
import { containerEnvironment } from "../container/container-environment.js";
import { askServer, openConnection, serverAddress } from "./open-connection.js";
import { openMessages, type ToHost, type ToServer } from "./server-messages.js";

export interface RemoteExecutorOptions {
  /** Where the kernel server is: `https://…`, `http://` on this machine, or `unix:PATH`. */
  url: string;
  /** The server's token, asked for when it is needed. */
  token: () => Promise<string | undefined>;
  /** Bound on the server's answer, in milliseconds. Default 30000. */
  startTimeoutMs?: number;
}

const killPatienceMs = 5_000;

/**
 * Runs each kernel in a container that is there already, by the kernel server within it. Kernels begin in the server's folder
 * and have its network; the container's own bounds hold for all of them together.
 *
 * @throws ArtificerError `executor/unsupported` for a URL that can't be used
 */
export function createRemoteExecutor(options: RemoteExecutorOptions): Executor {
  const address = serverAddress(options.url);
  const timeoutMs = options.startTimeoutMs ?? 30_000;
  const running = new Set<KernelChannel>();

  async function credentials(signal: AbortSignal | undefined) {
    const token = await options.token();
    if (token !== undefined && token !== "") return { token, signal, timeoutMs };
    throw new ArtificerError("executor/unauthorized", "There is no token for the kernel server.", {
      hint: "Name its secret as container.token in config.yaml, and say under secrets where it is kept.",
    });
  }

  return {
    kind: "container",
    capabilities: {
      isolation: "container",
      languages: ["python", "typescript"],
      limits: ["memoryBytes", "cpuSeconds", "openFiles", "fileBytes"],
      kill: true,
      network: "configurable",
    },

    async start(spec, { signal } = {}) {
      signal?.throwIfAborted();
      const { socket, head } = await openConnection(address, await credentials(signal));
      const channel = await openChannel(socket, head, spec, signal);
      running.add(channel);
      void channel.exited.then(() => running.delete(channel));
      return channel;
    },

    async probe({ signal } = {}) {
      try {
        const { languages, apart } = await askServer(address, await credentials(signal));
        const kernels = apart === true ? "a user each" : "all of one user, who can read the server's token";
        return { usable: true, facts: { server: options.url, languages: languages.join(", "), kernels } };
      } catch (thrown) {
        const { message, hint } = toArtificerError(thrown);
        return { usable: false, reason: message, ...(hint === undefined ? {} : { hint }) };
      }
    },

    async close() {
      await Promise.all(Array.from(running, (kernel) => kernel.kill()));
    },
  };
}

function openChannel(
  socket: Socket,
  head: Uint8Array,
  spec: KernelSpec,
  signal: AbortSignal | undefined,
): Promise<KernelChannel> {
  const inbox = createChannelInbox();
  return new Promise((resolve, reject) => {
    let end: (exit: KernelExit) => void = () => undefined;
    const exited = new Promise<KernelExit>((settle) => {
      end = settle;
    });
    const { take, send } = openMessages<ToServer, ToHost>(socket, (message, chunk) => {
      if (message.type === "started") {
        signal?.removeEventListener("abort", withdraw);
        resolve(channel);
      } else if (message.type === "refused") reject(errorFromJson(message.error));
      else if (message.type === "bytes" && chunk !== undefined) inbox.bytes(chunk);
      else if (message.type === "output" && chunk !== undefined) inbox.output(message.stream, chunk);
      else if (message.type === "exited") end(message.exit);
    });
    const withdraw = () => {
      socket.destroy();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", withdraw, { once: true });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      reject(
        new ArtificerError(
          "kernel/start-failed",
          "The kernel server closed the connection before the kernel had started.",
        ),
      );
      // A server that is gone has taken its kernels along.
      end({ code: null, signal: null });
    });
    socket.on("data", take);
    if (head.byteLength > 0) take(head);
    const channel = inbox.channel({
      pid: undefined,
      send(chunks) {
        for (const chunk of chunks) send({ type: "bytes" }, chunk);
      },
      exited,
      async end() {
        send({ type: "kill" });
        await Promise.race([exited, delay(killPatienceMs, undefined, { ref: false })]);
        // The server ends whatever its host no longer listens to.
        socket.destroy();
        await exited;
      },
      ref(held) {
        socket[held ? "ref" : "unref"]();
      },
    });
    const { language } = spec.program;
    const { values: env } = containerEnvironment(spec.env, {});
    const named = spec.interpreter === undefined ? {} : { interpreter: spec.interpreter };
    send({ type: "start", language, ...named, env, limits: spec.limits });
  });
}

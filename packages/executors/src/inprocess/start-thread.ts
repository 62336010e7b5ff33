import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import type { KernelChannel, KernelExit, ThreadMessage } from "@artificer/protocol";
import { createChannelInbox } from "../child-process/channel-inbox.js";
import { killGroup } from "../child-process/kill-group.js";

interface ThreadOptions {
  flags: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Bound on the thread's heap, in bytes. */
  memoryBytes: number | undefined;
}

const stepMs = 5;
const patienceMs = 200;

/** Starts a script as a thread and gives its channel: a port for the wire, another for its output and its children. */
export function startThread(script: string, { flags, env, memoryBytes }: ThreadOptions): KernelChannel {
  const wire = new MessageChannel();
  const told = new MessageChannel();
  const unread = new SharedArrayBuffer(4);
  const worker = new Worker(script, {
    argv: [],
    env: { ...env },
    execArgv: [...flags],
    workerData: { wire: wire.port2, output: told.port2, unread },
    transferList: [wire.port2, told.port2],
    stdin: false,
    stdout: true,
    stderr: true,
    ...(memoryBytes === undefined ? {} : { resourceLimits: heapOf(memoryBytes) }),
  });
  const inbox = createChannelInbox();
  const children = new Set<number>();
  const count = new Int32Array(unread);
  wire.port1.on("message", (chunk: Uint8Array) => inbox.bytes(chunk));
  told.port1.on("message", (message: ThreadMessage) => {
    if ("child" in message) {
      if (message.running) children.add(message.child);
      else children.delete(message.child);
      return;
    }
    Atomics.sub(count, 0, message.bytes.byteLength);
    inbox.output(message.stream, message.bytes);
  });
  // What Node itself has to say, such as a warning.
  for (const stream of ["stdout", "stderr"] as const)
    (worker[stream] as Readable).on("data", (chunk: Uint8Array) => inbox.output(stream, chunk));

  const tell = (text: string) => inbox.output("stderr", Buffer.from(text));
  const exited = endOf(worker, tell, () => {
    for (const port of [wire.port1, told.port1]) port.close();
  });

  async function end(): Promise<void> {
    await Promise.all(Array.from(children, (pid) => killGroup(pid)));
    // The thread alone can take note of their end; one that is busy can't, and they stay zombies of this process's.
    for (let waitedMs = 0; children.size > 0 && waitedMs < patienceMs; waitedMs += stepMs) await delay(stepMs);
    await worker.terminate();
    await exited;
  }
  void exited.then(() => Promise.all(Array.from(children, (pid) => killGroup(pid))));

  return inbox.channel({
    pid: process.pid,
    send(chunks) {
      for (const chunk of chunks) {
        const own = new Uint8Array(chunk);
        wire.port1.postMessage(own, [own.buffer]);
      }
    },
    exited,
    end,
    ref(held) {
      const change = held ? "ref" : "unref";
      for (const one of [worker, wire.port1, told.port1]) one[change]();
    },
  });
}

/** Settles when the thread is gone and what it had sent is read. */
function endOf(worker: Worker, tell: (text: string) => void, finish: () => void): Promise<KernelExit> {
  let outOfMemory = false;
  worker.on("error", (error: NodeJS.ErrnoException) => {
    outOfMemory ||= error.code === "ERR_WORKER_OUT_OF_MEMORY";
    if (!outOfMemory) tell(`${error?.stack ?? String(error)}\n`);
  });
  return new Promise((resolve) => {
    worker.once("exit", (code) => {
      // Messages that it had sent are delivered before this turn's end.
      setImmediate(() => {
        finish();
        resolve({ code, signal: null, ...(outOfMemory ? { limit: "memory" as const } : {}) });
      });
    });
  });
}

/** The limit is on all of the heap; the young part of it has a size of its own, of three halves. */
function heapOf(memoryBytes: number) {
  const megabytes = Math.max(8, Math.floor(memoryBytes / 2 ** 20));
  const young = Math.min(48, Math.max(1, Math.floor(megabytes / 4)));
  return { maxYoungGenerationSizeMb: young, maxOldGenerationSizeMb: megabytes - young };
}

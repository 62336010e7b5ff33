import type { ChildProcess } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import type { KernelChannel, KernelExit, ResourceLimits } from "@artificer/protocol";
import { createChannelInbox } from "./channel-inbox.js";
import { guardGroup, releaseGroup } from "./group-guard.js";
import { killGroup, signalGroup } from "./kill-group.js";
import { limitThatEnded } from "./limit-that-ended.js";
import { oomKills } from "./oom-kills.js";

export interface ChannelOptions {
  /** How long output may still arrive after the process has ended while others hold its pipes. */
  graceMs: number;
  limits: ResourceLimits;
  /** The private channel; default the child's descriptor 3. */
  wire?: Duplex;
  /** Where the kernel's output arrives; default the child's own. */
  output?: { stdout: Readable; stderr: Readable };
  /** Ends what the child stands for; default: its process group. */
  end?(): Promise<void>;
  /** What the child's end means; default: as it is. */
  exitOf?(exit: KernelExit): KernelExit;
}

/** The channel of a child process whose descriptors 1 and 2 are its output, with a private wire beside them. */
export function channelOf(child: ChildProcess, options: ChannelOptions): KernelChannel {
  const wire = options.wire ?? (child.stdio[3] as Duplex);
  const inbox = createChannelInbox();
  const streams = options.output ?? { stdout: child.stdout as Readable, stderr: child.stderr as Readable };

  wire.on("data", (chunk: Uint8Array) => inbox.bytes(chunk));
  // A dead kernel is told by `exited`; writing to it is no error of the writer's.
  wire.on("error", () => undefined);
  for (const stream of ["stdout", "stderr"] as const) {
    streams[stream].on("data", (chunk: Uint8Array) => inbox.output(stream, chunk));
    streams[stream].on("error", () => undefined);
  }

  const exited = endOf(child, [streams.stdout, streams.stderr, wire], options);
  let gone = false;
  if (child.pid !== undefined) guardGroup(child.pid);
  child.once("exit", () => {
    gone = true;
    if (child.pid !== undefined) releaseGroup(child.pid);
    // What the kernel started ends with it. Now, and never later: the group's number may be given to others.
    if (child.pid !== undefined) signalGroup(child.pid);
  });

  async function end(): Promise<void> {
    if (!gone && options.end !== undefined) await options.end();
    if (!gone && child.pid !== undefined) await killGroup(child.pid);
    await exited;
  }

  return inbox.channel({
    pid: child.pid,
    send(chunks) {
      if (!wire.writable) return;
      if (chunks.length === 1) wire.write(chunks[0]);
      else {
        wire.cork();
        for (const chunk of chunks) wire.write(chunk);
        wire.uncork();
      }
    },
    exited,
    end,
    ref(held) {
      const change = held ? "ref" : "unref";
      child[change]();
      for (const stream of [streams.stdout, streams.stderr, wire]) {
        (stream as unknown as Record<typeof change, (() => void) | undefined>)[change]?.();
      }
    },
  });
}

/** Settles when the process is gone and its output is read to the end, or a moment after its end when others hold them open. */
function endOf(child: ChildProcess, streams: Readable[], options: ChannelOptions): Promise<KernelExit> {
  const { graceMs, limits, exitOf = (exit) => exit } = options;
  const killsBefore = oomKills();
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      const killsAfter = oomKills() ?? 0;
      let open = streams.filter((stream) => !stream.closed && !stream.readableEnded);
      const finish = () => {
        clearTimeout(timer);
        for (const stream of streams) stream.destroy();
        const exit = exitOf({ code, signal });
        const outOfMemory = exit.signal === "SIGKILL" && killsAfter > (killsBefore ?? 0);
        resolve({ ...exit, ...limitThatEnded(exit.signal, limits, outOfMemory) });
      };
      // What had been written by then is read first, also by a host that was busy itself for all of that time.
      const timer = setTimeout(() => setImmediate(finish), graceMs);
      const ended = (stream: Readable) => {
        open = open.filter((other) => other !== stream);
        if (open.length === 0) finish();
      };
      if (open.length === 0) finish();
      for (const stream of open) for (const event of ["end", "close"]) stream.once(event, () => ended(stream));
    });
  });
}

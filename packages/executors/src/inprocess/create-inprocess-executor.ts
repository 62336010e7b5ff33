import { join } from "node:path";
import {
  ArtificerError,
  type Executor,
  type KernelChannel,
  type KernelSpec,
  type ThreadProgram,
} from "@artificer/protocol";
import { checkFolder } from "../child-process/check-folder.js";
import { checkLimits } from "../child-process/check-limits.js";
import { startThread } from "./start-thread.js";

/**
 * Runs each kernel as a thread of this process: no process to start, and no isolation at all. A cell has this process's
 * files, network, descriptors and memory; what it does to the process it does to the host. For trusted code alone.
 */
export function createInprocessExecutor(): Executor {
  const running = new Set<KernelChannel>();
  return {
    kind: "inprocess",
    capabilities: {
      isolation: "none",
      ownProcess: false,
      languages: ["typescript"],
      limits: ["memoryBytes"],
      kill: true,
      network: "host",
    },

    async start(spec, { signal } = {}) {
      signal?.throwIfAborted();
      const thread = threadOf(spec);
      checkFolder(spec.cwd);
      checkLimits(spec.limits);
      checkPlace(spec);
      const channel = startThread(join(spec.program.folder, thread.script), {
        flags: thread.flags,
        env: spec.env,
        memoryBytes: spec.limits.memoryBytes,
      });
      running.add(channel);
      void channel.exited.then(() => running.delete(channel));
      return channel;
    },

    async probe() {
      return { usable: true, facts: { isolation: "none", typescript: `${process.versions.node}, this process` } };
    },

    async close() {
      await Promise.all(Array.from(running, (kernel) => kernel.kill()));
    },
  };
}

function threadOf({ program }: KernelSpec): ThreadProgram {
  if (program.thread !== undefined) return program.thread;
  throw unsupported(
    `The in-process executor runs no ${program.language} kernel: it can't be a thread of this process.`,
    {
      details: { language: program.language },
      hint: "Use the subprocess executor for this language.",
    },
  );
}

/** A thread's folder and interpreter are those of its process. */
function checkPlace({ cwd, interpreter }: KernelSpec): void {
  if (cwd !== process.cwd()) {
    throw unsupported(`An in-process kernel works in its host's own folder, ${process.cwd()}, and not in ${cwd}.`, {
      details: { cwd, allowed: process.cwd() },
      hint: "Start the host in that folder, leave the session's folder out, or use the subprocess executor.",
    });
  }
  if (interpreter !== undefined && interpreter !== process.execPath) {
    throw unsupported(`An in-process kernel runs on its host's own Node, and not on ${interpreter}.`, {
      details: { interpreter, allowed: process.execPath },
      hint: "Leave the interpreter out, or use the subprocess executor.",
    });
  }
}

function unsupported(message: string, options: { details: Record<string, string>; hint: string }): ArtificerError {
  return new ArtificerError("executor/unsupported", message, options);
}

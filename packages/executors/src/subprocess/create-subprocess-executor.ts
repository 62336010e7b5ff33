import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import {
  ArtificerError,
  type Executor,
  type KernelChannel,
  type KernelProgram,
  type KernelSpec,
  type Usability,
} from "@artificer/protocol";
import { bindsProcesses } from "./binds-processes.js";
import { channelOf } from "./channel-of.js";
import { limitedCommand } from "./limited-command.js";

export interface SubprocessExecutorOptions {
  /** The programs whose interpreters `probe` looks for, and whose languages it declares. */
  programs?: readonly KernelProgram[];
  /** How long output may still arrive after the process has ended while others hold its pipes. Default 100. */
  graceMs?: number;
}

/**
 * Runs each kernel as a process of its own, leader of its own process group, with the host's own rights. No security
 * boundary: it keeps a crash, a flood or a hang away from the host, not an attacker.
 */
export function createSubprocessExecutor(options: SubprocessExecutorOptions = {}): Executor {
  const { programs = [], graceMs = 100 } = options;
  const running = new Set<KernelChannel>();

  return {
    kind: "subprocess",
    capabilities: {
      isolation: "process",
      languages: programs.length === 0 ? ["python", "typescript"] : programs.map((program) => program.language),
      // The limit on processes is set all the same: a kernel that gives its privileges up is bound by it.
      limits: [
        "memoryBytes",
        "cpuSeconds",
        "openFiles",
        "fileBytes",
        ...(bindsProcesses() ? ["processes" as const] : []),
      ],
      kill: true,
      network: "host",
      handOver: true,
    },

    async start(spec, { signal } = {}) {
      signal?.throwIfAborted();
      const interpreter = await spec.program.findInterpreter({ path: spec.interpreter, signal });
      checkFolder(spec.cwd);
      signal?.throwIfAborted();
      const command = spec.program.command(interpreter, { folder: spec.program.folder, wire: "fd:3" });
      const kernel = await launch(limitedCommand(command, spec.limits), spec, graceMs);
      running.add(kernel);
      void kernel.exited.then(() => running.delete(kernel));
      return kernel;
    },

    async probe({ signal } = {}): Promise<Usability> {
      const facts: Record<string, string> = {};
      for (const program of programs) {
        try {
          const interpreter = await program.findInterpreter({ signal });
          facts[program.language] = `${interpreter.version} at ${interpreter.path}`;
        } catch (error) {
          if (!ArtificerError.is(error)) throw error;
          return { usable: false, reason: error.message, hint: error.hint, facts };
        }
      }
      return { usable: true, facts };
    },

    async close() {
      await Promise.all(Array.from(running, (kernel) => kernel.kill()));
    },
  };
}

function launch(command: string[], spec: KernelSpec, graceMs: number): Promise<KernelChannel> {
  const [file = "", ...args] = command;
  const failed = (cause: unknown) =>
    new ArtificerError("kernel/start-failed", `The kernel's process could not be started: ${messageOf(cause)}.`, {
      details: { program: file, cwd: spec.cwd },
      hint: `See whether ${file} can be run by this user, and whether the machine has processes and memory to spare.`,
      cause,
    });
  return new Promise((resolve, reject) => {
    try {
      const child = spawn(file, args, {
        cwd: spec.cwd,
        env: spec.env,
        // A group of its own, so that the kernel and what it started can be ended together.
        detached: true,
        stdio: ["ignore", "pipe", "pipe", "pipe"],
        windowsHide: true,
      });
      child.once("error", (cause) => reject(failed(cause)));
      // Reading begins before anything can arrive; what comes before the reader is set is kept.
      if (child.pid !== undefined) resolve(channelOf(child, { graceMs, limits: spec.limits }));
    } catch (cause) {
      reject(failed(cause));
    }
  });
}

/** `spawn` blames the program when the folder is missing. */
function checkFolder(cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new ArtificerError("kernel/start-failed", `The kernel's working folder ${cwd} is not there.`, {
    details: { cwd },
    hint: "Create the folder, or name another one.",
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

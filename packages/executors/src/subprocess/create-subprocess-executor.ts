import type { Executor, KernelChannel, KernelProgram, Usability } from "@artificer/protocol";
import { bindsProcesses } from "../child-process/binds-processes.js";
import { channelOf } from "../child-process/channel-of.js";
import { checkFolder } from "../child-process/check-folder.js";
import { limitedCommand } from "../child-process/limited-command.js";
import { probeInterpreters } from "../child-process/probe-interpreters.js";
import { spawnChild } from "../child-process/spawn-child.js";

export interface SubprocessExecutorOptions {
  /** The programs whose interpreters `probe` looks for, and whose languages it declares. */
  programs?: readonly KernelProgram[];
  /** How long output may still arrive after the process has ended while others hold its pipes. Default 100. */
  graceMs?: number;
  /** Whom the next kernel runs as, where this process may become others. Default: this process's own user. */
  user?(): { uid: number; gid: number };
}

const limits = ["memoryBytes", "cpuSeconds", "openFiles", "fileBytes"] as const;
const limitsUnlessRoot = ["processes"] as const;

/**
 * Runs each kernel as a process of its own, leader of its own process group, with the host's own rights. No security
 * boundary: it keeps a crash, a flood or a hang away from the host, not an attacker.
 */
export function createSubprocessExecutor(options: SubprocessExecutorOptions = {}): Executor {
  const { programs = [], graceMs = 100, user } = options;
  const running = new Set<KernelChannel>();

  return {
    kind: "subprocess",
    capabilities: {
      isolation: "process",
      languages: programs.length === 0 ? ["python", "typescript"] : programs.map((program) => program.language),
      // The limit on processes is set all the same: a kernel that gives its privileges up is bound by it.
      limits: [...limits, ...(bindsProcesses() ? limitsUnlessRoot : [])],
      limitsUnlessRoot,
      kill: true,
      network: "host",
      handOver: true,
    },

    async start(spec, { signal } = {}) {
      signal?.throwIfAborted();
      const interpreter = await spec.program.findInterpreter({
        path: spec.interpreter,
        timeoutMs: spec.startTimeoutMs,
        signal,
      });
      checkFolder(spec.cwd);
      signal?.throwIfAborted();
      const command = spec.program.command(interpreter, { folder: spec.program.folder, wire: "fd:3" });
      const child = await spawnChild(limitedCommand(command, spec.limits), {
        cwd: spec.cwd,
        env: spec.env,
        stdio: ["ignore", "pipe", "pipe", "pipe"],
        ...user?.(),
      });
      // Reading begins before anything can arrive; what comes before the reader is set is kept.
      const kernel = channelOf(child, { graceMs, limits: spec.limits });
      running.add(kernel);
      void kernel.exited.then(() => running.delete(kernel));
      return kernel;
    },

    async probe({ signal } = {}): Promise<Usability> {
      return probeInterpreters(programs, { signal });
    },

    async close() {
      await Promise.all(Array.from(running, (kernel) => kernel.kill()));
    },
  };
}

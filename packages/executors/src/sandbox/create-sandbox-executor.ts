import { ArtificerError, type Executor, type KernelChannel, type ResourceLimits } from "@artificer/protocol";
import { channelOf } from "../child-process/channel-of.js";
import { checkFolder } from "../child-process/check-folder.js";
import { exitBySignal } from "../child-process/exit-by-signal.js";
import { limitedCommand } from "../child-process/limited-command.js";
import { probeInterpreters } from "../child-process/probe-interpreters.js";
import { beginsIn, chooseWorkspace, isWithin } from "../workspace/choose-workspace.js";
import { makeReadable } from "../workspace/make-readable.js";
import { feedDescriptors } from "./feed-descriptors.js";
import { type Bubblewrap, probeBubblewrap } from "./probe-bubblewrap.js";
import { openProcessCgroup } from "./process-cgroup.js";
import { sandboxArguments } from "./sandbox-arguments.js";
import { sandboxEnvironment } from "./sandbox-environment.js";
import type { SandboxExecutorOptions } from "./sandbox-options.js";
import { spawnConfined } from "./spawn-confined.js";

const descriptors = { seccomp: 4, passwd: 5, group: 6, args: 7 } as const;

/**
 * Runs each kernel confined by the operating system, with bubblewrap: the system read-only, a private /tmp, no network,
 * processes, environment or files of the host but what the options give. Linux alone.
 */
export function createSandboxExecutor(options: SandboxExecutorOptions = {}): Executor {
  const { programs = [], network = "none", tmpBytes = 256 * 2 ** 20, processes = 256, graceMs = 100 } = options;
  const running = new Set<KernelChannel>();
  let found: Promise<Bubblewrap> | undefined;

  async function bubblewrap(): Promise<Bubblewrap> {
    found ??= probeBubblewrap(options.bwrap ?? "bwrap");
    const answer = await found;
    // What is missing may be mended while the host runs.
    if (!answer.usable) found = undefined;
    return answer;
  }

  return {
    kind: "sandbox",
    capabilities: {
      isolation: "sandbox",
      languages: programs.length === 0 ? ["python", "typescript"] : programs.map((program) => program.language),
      limits: ["memoryBytes", "cpuSeconds", "openFiles", "fileBytes", "processes"],
      kill: true,
      network: "configurable",
    },

    async start(spec, { signal } = {}) {
      signal?.throwIfAborted();
      const [answer, interpreter] = await Promise.all([
        bubblewrap(),
        spec.program.findInterpreter({ path: spec.interpreter, timeoutMs: spec.startTimeoutMs, signal }),
      ]);
      if (!answer.usable) throw unavailable(answer);
      checkFolder(spec.cwd);
      await spec.program.prepare?.(interpreter, { signal });
      signal?.throwIfAborted();
      const { workspace, hidden } = chooseWorkspace(options.workspace, options.hidden ?? []);
      const cwd = workspace === undefined ? "/tmp" : beginsIn(spec.cwd, workspace.path);
      const visible = ["/usr", "/bin", "/sbin", ...interpreter.prefixes, ...(workspace ? [workspace.path] : [])];
      const env = sandboxEnvironment(spec.env, (path) => visible.some((folder) => isWithin(path, folder)));
      const readable = makeReadable(options.readable ?? []);
      const setup = { workspace, hidden, readable, network, tmpBytes, cwd, env, descriptors };
      const limits = { ...spec.limits, processes: spec.limits.processes ?? processes };
      const bound = boundProcesses(limits);
      const kernel = spec.program.command(interpreter, { folder: spec.program.folder, wire: "fd:3" });
      const command = [answer.path, "--args", String(descriptors.args), "--", ...limitedCommand(kernel, bound.limits)];
      const child = await spawnConfined(bound.enter(command), { pipes: [3, ...Object.values(descriptors)] });
      feedDescriptors(child, descriptors, sandboxArguments(setup, spec.program, interpreter));
      const channel = channelOf(child, { graceMs, limits, exitOf: exitBySignal });
      running.add(channel);
      void channel.exited.then(() => {
        running.delete(channel);
        bound.release();
      });
      return channel;
    },

    async probe({ signal } = {}) {
      const answer = await bubblewrap();
      if (!answer.usable) return answer;
      const { facts, ...rest } = await probeInterpreters(programs, { signal });
      return { ...rest, facts: { bubblewrap: `${answer.version} at ${answer.path}`, seccomp: process.arch, ...facts } };
    },

    async close() {
      await Promise.all(Array.from(running, (kernel) => kernel.kill()));
    },
  };
}

interface BoundProcesses {
  limits: ResourceLimits;
  enter(command: string[]): string[];
  release(): void;
}

/** Root is not bound by a user's limit of processes: a control group has to do it. */
function boundProcesses(limits: ResourceLimits & { processes: number }): BoundProcesses {
  if (process.getuid?.() !== 0) return { limits, enter: (command) => command, release: () => undefined };
  // Two more, for bubblewrap outside and inside.
  const group = openProcessCgroup(limits.processes + 2);
  if (group === undefined) {
    throw new ArtificerError(
      "executor/unsupported",
      "The number of a sandbox's processes can't be bounded for root here.",
      {
        details: { limit: "processes" },
        hint: "Run Artificer as another user than root, or where root has the pids controller of control groups.",
      },
    );
  }
  const { processes: _, ...rest } = limits;
  const script = 'echo $$ > "$0" && exec "$@"';
  return {
    limits: rest,
    enter: (command) => ["/bin/sh", "-c", script, group.entry, ...command],
    release: group.remove,
  };
}

function unavailable({ reason, hint }: { reason: string; hint: string }): ArtificerError {
  return new ArtificerError("executor/unavailable", reason, { hint });
}

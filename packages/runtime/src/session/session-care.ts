import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResourceLimits } from "@artificer/protocol";
import type { Kernel } from "../kernel/kernel.js";
import { processResidents } from "../kernel-care/create-kernel-residents.js";
import type { KernelSlot } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";
import { resourceLimits } from "./resource-limits.js";
import { createSessionEnvironment, type SessionEnvironment } from "./session-environment.js";
import type { CoreSessionOptions, SessionProblem } from "./session-options.js";
import { createStaging, type Staging } from "./staging.js";

/** What a session takes care of around its kernels: their room, their environment, their folder, their end. */
export interface SessionCare {
  readonly environment: SessionEnvironment;
  readonly staging: Staging | undefined;
  /** A kernel has started: from now on it takes up room. */
  admit(slot: KernelSlot, kernel: Kernel): void;
}

export function createSessionCare(
  options: CoreSessionOptions,
  limits: SessionLimits,
  { onProblem }: { onProblem(problem: SessionProblem): void },
): SessionCare {
  const { executor, programs, residents = processResidents } = options;
  tellNoIsolation(options, onProblem);
  tellUnenforced(options, resourceLimits(limits), onProblem);
  const [program] = programs;
  if (program !== undefined) {
    const interpreter = options.interpreters?.[program.language];
    const named = interpreter === undefined ? {} : { interpreter };
    executor.prepare?.({ program, ...named, cwd: "", env: {}, limits: resourceLimits(limits) });
  }
  return {
    environment: createSessionEnvironment({
      host: options.hostEnv ?? process.env,
      ...(options.env === undefined ? {} : { extra: options.env }),
      ...(options.environment === undefined ? {} : { rules: options.environment }),
      onProblem,
    }),
    staging:
      options.mode === "strict" ? createStaging(options.stagingRoot ?? join(tmpdir(), "artificer-strict")) : undefined,
    admit(slot, kernel) {
      // A sub-agent's kernel lives as long as the sub-agent does.
      if (options.parent !== undefined) return;
      const { kernelIdleTimeoutMs: idleTimeoutMs, maxSessionKernels } = limits;
      const maxKernels = Math.max(1, maxSessionKernels);
      const resident = {
        kernel,
        idleTimeoutMs,
        maxKernels,
        busy: () => slot.busy,
        leave: () => slot.keeper?.flush() ?? Promise.resolve(),
      };
      residents.admit(resident);
      slot.onIdle = () => residents.settled(resident);
    },
  };
}

/** Chosen on purpose, and said all the same: once, where the session's other troubles are told. */
function tellNoIsolation({ executor }: CoreSessionOptions, onProblem: (problem: SessionProblem) => void): void {
  if (executor.capabilities.isolation !== "none") return;
  onProblem({
    code: "executor/no-isolation",
    message: `Cells run within the host's own process, by the ${executor.kind} executor: nothing keeps them from it.`,
    hint: "For code that you do not trust, or that may crash, choose the subprocess, sandbox or container executor.",
  });
}

/** A limit that is set and does not bind is told, never passed over. */
function tellUnenforced(
  { executor }: CoreSessionOptions,
  limits: ResourceLimits,
  onProblem: (problem: SessionProblem) => void,
): void {
  for (const name of Object.keys(limits) as (keyof ResourceLimits)[]) {
    if (executor.capabilities.limits.includes(name)) continue;
    onProblem({
      code: "executor/limit-not-enforced",
      message: `The limit ${name} is set, but the ${executor.kind} executor can't enforce it here.`,
      hint:
        name === "processes"
          ? "The system does not count the processes of a privileged user; run the host as an ordinary one."
          : "Use another executor, or leave the limit out.",
    });
  }
}

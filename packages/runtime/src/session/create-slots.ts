import type { Language } from "@artificer/protocol";
import type { Namespaces } from "../handles/handle-context.js";
import type { Redactor } from "../redaction/redactor.js";
import { keeperFactory } from "../snapshots/create-keeper.js";
import type { Toolset } from "../tools/toolset.js";
import { createCellChecks } from "./cell-checks.js";
import { KernelSlot, type StartKernel } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";
import type { RecentLogs } from "./recent-logs.js";
import { runStartupCode } from "./run-startup-code.js";
import type { SessionCare } from "./session-care.js";
import type { CoreSessionOptions, SessionProblem } from "./session-options.js";
import { startSessionKernel } from "./start-session-kernel.js";

export interface SlotsContext {
  session: string;
  limits: SessionLimits;
  toolset: Toolset;
  namespaces: Namespaces;
  logs: RecentLogs;
  care: SessionCare;
  redactor: Redactor;
  /** Rejects for who may not use the session: no kernel is started for them. */
  ready(): Promise<void>;
  onProblem(problem: SessionProblem): void;
}

/** A slot for each language that the session has a kernel program for. @throws ArtificerError `usage/invalid-argument` for snapshots that can't be kept so. */
export function createSlots(options: CoreSessionOptions, context: SlotsContext): Map<Language, KernelSlot> {
  const { session, limits, toolset, namespaces, logs, care, redactor } = context;
  const onProblem = (problem: SessionProblem) => context.onProblem(problem);
  const createKeeper = keeperFactory(options, {
    session,
    graceMs: limits.graceMs,
    onProblem,
  });
  const slots = new Map<Language, KernelSlot>();
  for (const program of options.programs) {
    const startKernel: StartKernel = async (slot, generation, signal) => {
      await context.ready();
      const bindings = toolset.bindings(program.language);
      const started = { options, program, session, limits, bindings, generation, namespaces, logs, care, onProblem };
      const start = () => startSessionKernel(slot, started, { signal });
      const kernel = await (slot.keeper === undefined ? start() : slot.keeper.start(start));
      const code = options.startupCode?.[program.language];
      if (code !== undefined) await runStartupCode(slot, kernel, { code, limits, logs, redactor, signal });
      return kernel;
    };
    const made = new KernelSlot(program, startKernel, redactor);
    if (program.snapshots) made.keeper = createKeeper?.(program.language);
    const checker = program.createChecker?.();
    const folder = async () => (await care.staging?.folder()) ?? options.cwd ?? process.cwd();
    if (checker !== undefined) made.checks = createCellChecks(checker, { toolset, folder });
    slots.set(program.language, made);
  }
  return slots;
}

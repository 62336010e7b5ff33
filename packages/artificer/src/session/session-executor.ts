import { createTypescriptKernel } from "@artificer/kernel-typescript";
import type { Executor, KernelProgram } from "@artificer/protocol";
import type { Config, ExecutorKind } from "../config/config-schema.js";
import { executorFromConfig, writesWorkspace } from "../executor/executor-from-config.js";
import { createProjectPython } from "./create-project-python.js";

interface SessionPlace {
  base: string;
  home: string;
  /** The session's folder. */
  folder: string;
  host: Readonly<Record<string, string | undefined>>;
}

/** How a session starts its kernels. */
export interface SessionExecutor {
  executor: Executor;
  /** Whether kernels see what the host installs; not where they are elsewhere. */
  seesPackages: boolean;
  /** Undefined: as for any session. */
  programs?: readonly KernelProgram[];
  /** What the session closes. */
  owned: readonly Executor[];
}

/** The executor that a session was given, or one of its own of the kind that was named. */
export function sessionExecutor(
  chosen: Executor | ExecutorKind,
  config: Config,
  { base, home, folder, host }: SessionPlace,
): SessionExecutor {
  if (typeof chosen !== "string") return { executor: chosen, seesPackages: true, owned: [] };
  const executor = executorFromConfig(chosen, config, { base, home });
  const owned = [executor];
  const seesPackages = chosen !== "container" || config.container.url === undefined;
  if (!writesWorkspace(chosen, config)) return { executor, seesPackages, owned };
  const python = createProjectPython({ mode: "strict", folder, host, onProblem: () => {} });
  return { executor, seesPackages, owned, programs: [python, createTypescriptKernel()] };
}

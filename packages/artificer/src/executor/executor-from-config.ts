import { dirname, resolve } from "node:path";
import { createContainerExecutor } from "@artificer/executors/container";
import { createSandboxExecutor } from "@artificer/executors/sandbox";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import type { Executor, KernelProgram } from "@artificer/protocol";
import type { Config, ExecutorKind } from "../config/config-schema.js";

interface ExecutorContext {
  /** The base folder: never seen by cells of a confined kernel, since the host takes tools and settings from it. */
  base: string;
  programs?: readonly KernelProgram[];
}

/** The executor of that kind, as the configuration's section on it says. Whoever asks for it closes it. */
export function executorFromConfig(kind: ExecutorKind, config: Config, context: ExecutorContext): Executor {
  const { programs = [], base } = context;
  const confined = { programs, hidden: [base] };
  switch (kind) {
    case "subprocess":
      return createSubprocessExecutor({ programs });
    case "sandbox": {
      const { workspace, network, tmp, processes } = config.sandbox;
      return createSandboxExecutor(
        given({ ...confined, workspace: placed(workspace, base), network, tmpBytes: tmp, processes }),
      );
    }
    case "container": {
      const { engine, workspace, tmp, ...rest } = config.container;
      const named = engine === undefined ? undefined : [engine];
      return createContainerExecutor(
        given({ ...confined, ...rest, engine: named, workspace: placed(workspace, base), tmpBytes: tmp }),
      );
    }
  }
}

function placed(workspace: Config["sandbox"]["workspace"], base: string) {
  return workspace === undefined ? undefined : { ...workspace, path: resolve(dirname(base), workspace.path) };
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Without what was not set, so that defaults hold. */
function given<T extends object>(options: T): Given<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>;
}

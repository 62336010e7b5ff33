import { join, resolve } from "node:path";
import { createContainerExecutor } from "@artificer/executors/container";
import { createInprocessExecutor } from "@artificer/executors/inprocess";
import { createRemoteExecutor } from "@artificer/executors/kernel-server";
import { createSandboxExecutor } from "@artificer/executors/sandbox";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import type { Executor, KernelProgram } from "@artificer/protocol";
import type { Config, ExecutorKind } from "../config/config-schema.js";
import { createSecretResolver } from "../tools/create-secret-resolver.js";

interface ExecutorContext {
  /** The base folder: never seen by cells of a confined kernel, since the host takes tools and settings from it. */
  base: string;
  /** The user's own folder of Artificer: not for cells either. */
  home?: string;
  programs?: readonly KernelProgram[];
}

/** The executor of that kind, as the configuration's section on it says. Whoever asks for it closes it. */
export function executorFromConfig(kind: ExecutorKind, config: Config, context: ExecutorContext): Executor {
  const { programs = [], base, home } = context;
  const readable = [packagesFolder(base)];
  const hidden = home === undefined ? [base] : [base, home];
  switch (kind) {
    case "subprocess":
      return createSubprocessExecutor({ programs });
    case "inprocess":
      return createInprocessExecutor();
    case "sandbox": {
      const { workspace, network, tmp, processes } = config.sandbox;
      return createSandboxExecutor(
        given({ programs, hidden, readable, workspace: placed(workspace, base), network, tmpBytes: tmp, processes }),
      );
    }
    case "container": {
      const { url, token, engine, workspace, tmp, ...rest } = config.container;
      if (url !== undefined) {
        const resolveSecret = createSecretResolver(config.secrets, { folder: base });
        const destination = { toolkit: "container", host: new URL(url).host };
        return createRemoteExecutor({
          url,
          token: async () => (token === undefined ? undefined : resolveSecret(token, destination)),
        });
      }
      const named = engine === undefined ? undefined : [engine];
      return createContainerExecutor(
        given({ hidden, readable, ...rest, engine: named, workspace: placed(workspace, base), tmpBytes: tmp }),
      );
    }
  }
}

/** Where a base keeps the packages that were installed for its sessions: all of the base that confined cells see. */
export function packagesFolder(base: string): string {
  return join(base, ".state", "python");
}

/**
 * Whether cells may change files of the host. Then no interpreter may be looked for among these: the host runs what it
 * finds, to ask for its version, and a cell could have put it there.
 */
export function writesWorkspace(kind: ExecutorKind, config: Config): boolean {
  return (kind === "sandbox" || kind === "container") && config[kind].workspace?.mode === "rw";
}

function placed(workspace: Config["sandbox"]["workspace"], base: string) {
  return workspace === undefined ? undefined : { ...workspace, path: resolve(base, workspace.path) };
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Without what was not set, so that defaults hold. */
function given<T extends object>(options: T): Given<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>;
}

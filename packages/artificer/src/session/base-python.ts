import type { KernelProgram } from "@artificer/protocol";
import { sessionVenv, venvsFolder } from "../venv/session-venv.js";
import type { VenvOptions } from "../venv/venv-options.js";
import type { Base } from "./open-base.js";
import type { SessionOptions } from "./session.js";
import type { SessionExecutor } from "./session-executor.js";

interface BasePythonOptions {
  /** In place of what config.yaml says; false: none. */
  venv?: VenvOptions | false | undefined;
  hostEnv?: Readonly<Record<string, string | undefined>> | undefined;
}

interface BasePython extends Pick<SessionOptions, "interpreters"> {
  programs?: readonly KernelProgram[] | undefined;
  /** What the session closes. */
  owned: readonly { close(): Promise<void> }[];
}

/** What runs the cells of a base: as it names it, in an environment of the base's own when there is to be one. */
export function basePython(base: Base, started: SessionExecutor, options: BasePythonOptions): BasePython {
  const { interpreter, venv = false } = base.config.python;
  const wanted = options.venv ?? venv;
  if (wanted === false) {
    const named = interpreter === undefined ? {} : { interpreters: { python: interpreter } };
    return { programs: started.programs, ...named, owned: [] };
  }
  const { programs, owned } = sessionVenv(started.executor, {
    ...wanted,
    // In a base that can only be read nothing can be made.
    folder: venvsFolder(base.writable ? base.folder : undefined),
    interpreter,
    args: base.config.deps.install_args,
    hostEnv: options.hostEnv,
  });
  return { programs, owned: [owned] };
}

import type { CellEngine, Embedder, Executor, KernelProgram, Language, Storage, Toolkit } from "@artificer/protocol";
import type { DepInstaller } from "../deps/dep-installer.js";
import type { SessionLimits } from "./limits.js";

/** Something that is off, missing or fell back; told once, never fatal. */
export interface SessionProblem {
  code: string;
  message: string;
  hint?: string;
  file?: string;
}

/** Everything a session is made of. Whoever opened a part closes it, unless `owned` says that the session does. */
export interface CoreSessionOptions {
  /** Default: a random one. */
  id?: string;
  storage: Storage;
  executor: Executor;
  /** The kernel programs, one a language. */
  programs: readonly KernelProgram[];
  toolkits?: readonly Toolkit[];
  /** Without one, search goes by words alone, and says so. */
  embedder?: Embedder;
  limits?: Partial<SessionLimits>;
  /** The kernels' working folder; default the host's. */
  cwd?: string;
  /** The folder that the session's things are kept in, told to cells as ARTIFICER_BASE. */
  base?: string;
  /** Variables added to the kernels' environment. */
  env?: Readonly<Record<string, string>>;
  /** The host's environment, from which an allow-list is taken; default `process.env`. */
  hostEnv?: Readonly<Record<string, string | undefined>>;
  /** Interpreter by language; default: found by the kernel program. */
  interpreters?: Partial<Record<Language, string>>;
  /** What runs Python cells. Default `own`: the kernel alone, which starts faster and takes less memory than IPython. */
  engine?: CellEngine;
  /** False closes the shorthand that runs a shell in a cell: `!`, `%%bash` and their like. No security boundary. Default true. */
  allowShell?: boolean;
  /** Puts deps where kernels import from; without one, `deps.sync` is refused. */
  depInstaller?: DepInstaller;
  /** False locks the deps to what `requirements.txt` says when the session first needs them. Default true. */
  allowRuntimeDeps?: boolean;
  /** Installs the deps of `requirements.txt` before the first cell. Default false. */
  syncDepsOnStart?: boolean;
  problems?: readonly SessionProblem[];
  /** Closed with the session, in this order. */
  owned?: readonly { close(): Promise<void> }[];
}

import type { CellEngine, Embedder, Executor, KernelProgram, Language, Storage, Toolkit } from "@artificer/protocol";
import type { DepInstaller } from "../deps/dep-installer.js";
import type { EnvironmentRules } from "../kernel/kernel-environment.js";
import type { KernelResidents } from "../kernel-care/create-kernel-residents.js";
import type { PolicyOptions } from "../policy/policy-options.js";
import type { SearchLimits } from "../search/search-limits.js";
import type { SnapshotOptions } from "../snapshots/snapshot-options.js";
import type { ToolHook } from "../tools/tool-hook.js";
import type { SessionLimits } from "./limits.js";
import type { LiveLimits } from "./live-limits.js";
import type { StartupCode } from "./run-startup-code.js";
import type { CoreSession } from "./session.js";

/** How far a session's cells are kept from the project around them. Security is the same in both. */
export type SessionMode = "project" | "strict";

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
  /** Who the session belongs to: nobody else can open it again. Default: nobody. */
  owner?: string;
  /** Keeps the variables beyond their kernel and the process. Default off. */
  snapshot?: boolean | Partial<SnapshotOptions>;
  /** Signs what is kept, 32 bytes or more; of several the first signs, and what the others signed is accepted. Needed when the storage outlives the process. */
  snapshotKey?: Uint8Array | readonly Uint8Array[];
  storage: Storage;
  executor: Executor;
  /** The kernel programs, one a language. */
  programs: readonly KernelProgram[];
  toolkits?: readonly Toolkit[];
  /** Without one, search goes by words alone, and says so. */
  embedder?: Embedder;
  search?: SearchLimits;
  limits?: Partial<SessionLimits>;
  /** The kernels' working folder; default the host's. */
  cwd?: string;
  /** The folder that the session's things are kept in, told to cells as ARTIFICER_BASE. */
  base?: string;
  /** Variables added to the kernels' environment. */
  env?: Readonly<Record<string, string>>;
  /** What of the host's environment passes besides the list. */
  environment?: EnvironmentRules;
  /** `project`: cells run in `cwd`. `strict`: in a folder of the session's own, removed at its end. Default `project`. */
  mode?: SessionMode;
  /** Where that folder is made; default the system's folder for temporary files. */
  stagingRoot?: string;
  /** The user's own folder, told to cells as ARTIFICER_HOME; default that of the host. */
  home?: string;
  /** The session that this one works for: its kernels are exempt from idle time and cap, and end with the parent's. */
  parent?: CoreSession;
  /** The kernels that share room; default those of the whole process. */
  residents?: KernelResidents;
  /** The host's environment, from which an allow-list is taken; default `process.env`. */
  hostEnv?: Readonly<Record<string, string | undefined>>;
  /** Stand around every tool call of every cell, the first of them outermost: to look on, to refuse, to answer from a cache. */
  toolHooks?: readonly ToolHook[];
  /**
   * What tool calls may do, and who is asked. Of several the strictest counts, and a sub-agent's session is held to its parent's as well.
   */
  policy?: PolicyOptions | readonly PolicyOptions[];
  /** `off` lets secrets pass into output, outcomes and the journal. Default `on`. */
  redaction?: "on" | "off";
  /** Texts to be redacted, besides values of secret-looking variables and what is written as keys are. */
  secrets?: readonly string[];
  /** Interpreter by language; default: found by the kernel program. */
  interpreters?: Partial<Record<Language, string>>;
  /** What runs Python cells. Default `own`: the kernel alone, which starts faster and takes less memory than IPython. */
  engine?: CellEngine;
  /** False closes the shorthand that runs a shell in a cell: `!`, `%%bash` and their like. No security boundary. Default true. */
  allowShell?: boolean;
  /** Puts deps where kernels import from; without one, `deps.sync` is refused. */
  depInstaller?: DepInstaller;
  /** Reads TypeScript cells for errors of type before they run, unless a run says otherwise. Default false. */
  check?: boolean;
  /** False locks the deps to what `requirements.txt` says when the session first needs them. Default true. */
  allowRuntimeDeps?: boolean;
  /** Installs the deps of `requirements.txt` before the first cell. Default false. */
  syncDepsOnStart?: boolean;
  /** Code that is run in every kernel of its language before the first cell, after variables were restored. */
  startupCode?: StartupCode;
  /** Asked before every cell whether limits have changed meanwhile. */
  liveLimits?: LiveLimits;
  problems?: readonly SessionProblem[];
  /** Closed with the session, in this order. */
  owned?: readonly { close(): Promise<void> }[];
}

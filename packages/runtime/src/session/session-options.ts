import type { Embedder, Executor, KernelProgram, Language, Storage, Toolkit } from "@artificer/protocol";
import type { SnapshotOptions } from "../snapshots/snapshot-options.js";
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
  /** Who the session belongs to: nobody else can open it again. Default: nobody. */
  owner?: string;
  /** Keeps the variables beyond their kernel and the process. Default off. */
  snapshot?: boolean | Partial<SnapshotOptions>;
  /** Signs what is kept, 32 bytes or more. Needed when the storage outlives the process. */
  snapshotKey?: Uint8Array;
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
  problems?: readonly SessionProblem[];
  /** Closed with the session, in this order. */
  owned?: readonly { close(): Promise<void> }[];
}

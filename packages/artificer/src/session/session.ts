import { join } from "node:path";
import type { Embedder, Executor, KernelProgram, Storage, Toolkit } from "@artificer/protocol";
import {
  artificerHome,
  CoreSession,
  type CoreSessionOptions,
  type SessionLimits,
  type SessionMode,
  type SessionProblem,
  type ToolHook,
} from "@artificer/runtime";
import { openFileStorage } from "@artificer/storage-file";
import { limitsFromConfig } from "../config/limits-from-config.js";
import { openBaseTools } from "../tools/open-base-tools.js";
import { openBase } from "./open-base.js";
import { sessionParts } from "./session-parts.js";

/** Parts of a session; what is left out gets its embedded default. */
export interface SessionOptions
  extends Partial<Omit<CoreSessionOptions, "toolkits" | "storage" | "executor" | "programs" | "embedder">> {
  /** Default: in memory, gone with the session. */
  storage?: Storage;
  /** Default: kernels as subprocesses of this one. */
  executor?: Executor;
  /** Default: Python. */
  programs?: readonly KernelProgram[];
  /** Default: the model that comes with the install. Null: search by words alone. */
  embedder?: Embedder | null;
  tools?: readonly Toolkit[];
  /** Kernels started beforehand, so that the first cell and the first after a restart need not wait. Default 0. */
  pool?: number;
}

/** What may be set beside what the base folder says; it wins. */
export interface FromBaseOptions {
  id?: string;
  executor?: Executor;
  tools?: readonly Toolkit[];
  embedder?: Embedder | null;
  limits?: Partial<SessionLimits>;
  /** The kernels' working folder; default the host's. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Stand around every tool call of every cell, the first of them outermost: to look on, to refuse, to answer from a cache. */
  toolHooks?: readonly ToolHook[];
  /** `off` lets secrets pass into output, outcomes and the journal. Default: as config.yaml says. */
  redaction?: "on" | "off";
  /** Texts to be redacted, besides values of secret-looking variables and what is written as keys are. */
  secrets?: readonly string[];
  /** Default: as the configuration says, else `project`. */
  mode?: SessionMode;
  /** Kernels started beforehand; default: as the configuration says, else none. */
  pool?: number;
  /** A server's session keeps one kernel ready unless the configuration says otherwise. */
  longLived?: boolean | undefined;
  /** The host's environment, from which an allow-list is taken; default `process.env`. */
  hostEnv?: Readonly<Record<string, string | undefined>>;
  /** The user's own folder, whose config.yaml holds defaults; default `ARTIFICER_HOME`, else `~/.artificer`. */
  home?: string;
}

/** A session with embedded defaults: files, subprocess kernels, a model that comes with the install. */
export class Session extends CoreSession {
  constructor(options: SessionOptions = {}) {
    // What is found out before there is a session to tell it is told by it afterwards.
    const early: SessionProblem[] = [];
    let report = (problem: SessionProblem): void => {
      early.push(problem);
    };
    super(sessionParts(options, (problem) => report(problem)));
    report = (problem) => this.report(problem);
    early.forEach(report);
  }

  /**
   * Opens a session on a folder: finds tools/, skills/, artifacts/, requirements.txt and config.yaml, and makes what is missing.
   * A broken tool definition does not stop it: see `problems`.
   *
   * @throws ArtificerError `config/…` for a bad config.yaml, `session/base-not-writable`, `storage/…`
   */
  static async fromBase(folder: string, options: FromBaseOptions = {}): Promise<Session> {
    const home = options.home ?? artificerHome(options.hostEnv);
    const base = await openBase(folder, { home });
    const { code_execution: cells, terminal } = base.config;
    const storage = await openFileStorage(base.folder);
    let session: Session | undefined;
    const { toolkits, problems, warnings } = await openBaseTools(base, {
      cache: base.writable,
      onWarning: (warning) => session?.report(warning),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const { interpreter } = base.config.python;
    const { limits, tools = [], longLived = false, ...rest } = options;
    session = new Session({
      mode: cells.mode,
      pool: cells.warm_kernels ?? (longLived ? 1 : 0),
      environment: {
        passthrough: terminal.env_passthrough,
        passProxies: terminal.pass_proxies,
        passCertificates: terminal.pass_certificates,
      },
      redaction: base.config.code_execution.redaction,
      ...defined(rest),
      home,
      ...(base.writable ? { stagingRoot: join(base.folder, ".state", "staging") } : {}),
      ...(base.config.embeddings.engine === "none" && options.embedder === undefined ? { embedder: null } : {}),
      storage,
      base: base.folder,
      tools: [...toolkits, ...tools],
      limits: { ...limitsFromConfig(base.config), ...limits },
      ...(interpreter === undefined ? {} : { interpreters: { python: interpreter } }),
      problems: [...problems.map(({ source, error }) => ({ ...error.toJSON(), file: source })), ...warnings],
      owned: [storage],
    });
    return session;
  }
}

/** An option passed on as undefined was not set. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

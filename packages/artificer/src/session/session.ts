import { join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";
import type { CellEngine, Embedder, Executor, KernelProgram, Storage, Toolkit } from "@artificer/protocol";
import {
  artificerHome,
  CoreSession,
  type CoreSessionOptions,
  type SessionLimits,
  type SessionMode,
  type SessionProblem,
  type SnapshotOptions,
  type ToolHook,
} from "@artificer/runtime";
import { openFileStorage } from "@artificer/storage-file";
import type { ExecutorKind } from "../config/config-schema.js";
import { limitsFromConfig } from "../config/limits-from-config.js";
import { snapshotFromConfig } from "../config/snapshot-from-config.js";
import { createPipInstaller } from "../deps/create-pip-installer.js";
import { openBaseTools } from "../tools/open-base-tools.js";
import type { VenvOptions } from "../venv/venv-options.js";
import { basePython } from "./base-python.js";
import { openBase } from "./open-base.js";
import { openSnapshotKey } from "./open-snapshot-key.js";
import { sessionExecutor } from "./session-executor.js";
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
  /**
   * A clean virtual environment for Python cells, made when the first of them needs it; in place of `programs`. From the
   * interpreter in `interpreters`, if one is named. Kept in a folder of this user's.
   */
  venv?: VenvOptions;
  /** Kernels started beforehand, so that the first cell and the first after a restart need not wait. Default 0. */
  pool?: number;
}

/** What may be set beside what the base folder says; it wins. */
export interface FromBaseOptions {
  id?: string;
  /** How kernels are started: one of ours, as config.yaml sets it, or your own, which you close. Default: as config.yaml says. */
  executor?: Executor | ExecutorKind;
  tools?: readonly Toolkit[];
  embedder?: Embedder | null;
  limits?: Partial<SessionLimits>;
  /** The kernels' working folder; default the host's. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** What runs Python cells. */
  engine?: CellEngine;
  /** A clean virtual environment for Python cells, kept in the base. False: none, whatever config.yaml says. */
  venv?: VenvOptions | false;
  /** False closes the shorthand that runs a shell in a cell: `!`, `%%bash` and their like. No security boundary. */
  allowShell?: boolean;
  /** False locks the deps to those of requirements.txt. */
  allowRuntimeDeps?: boolean;
  /** Installs the deps of requirements.txt before the first cell. */
  syncDepsOnStart?: boolean;
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
  /** Who the session belongs to: nobody else can open it again. */
  owner?: string;
  /** Keeps the variables for a later session of the same id. Default: as config.yaml says, else on when an `id` is given. */
  snapshot?: boolean | Partial<SnapshotOptions>;
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
   * @throws ArtificerError `config/…` for a bad config.yaml, `session/base-not-writable`, `session/not-owner`, `storage/…`
   */
  static async fromBase(folder: string, options: FromBaseOptions = {}): Promise<Session> {
    const home = options.home ?? artificerHome(options.hostEnv);
    const base = await openBase(folder, { home });
    const { code_execution: cells, terminal } = base.config;
    const { limits, tools = [], executor = base.config.executor, longLived = false, venv, ...rest } = options;
    const started = sessionExecutor(executor, base.config, {
      base: base.folder,
      home,
      folder: options.cwd ?? process.cwd(),
      host: options.hostEnv ?? process.env,
    });
    const { programs, interpreters, owned } = basePython(base, started, options);
    const storage = await openFileStorage(base.folder);
    let session: Session | undefined;
    const { toolkits, problems, warnings } = await openBaseTools(base, {
      cache: base.writable,
      onWarning: (warning) => session?.report(warning),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const { engine } = base.config.python;
    const depInstaller = createPipInstaller({
      folder: join(base.folder, ".state", "python"),
      // Asked only once the session stands.
      interpreter: (request) => kernelInterpreter(session!, request),
      args: base.config.deps.install_args,
      ...(options.hostEnv === undefined ? {} : { hostEnv: options.hostEnv }),
    });
    const snapshot = snapshotFromConfig(base.config, options);
    const keeps = snapshot !== false && base.writable;
    session = new Session({
      engine,
      allowShell: cells.allow_shell,
      allowRuntimeDeps: base.config.deps.allow_runtime,
      syncDepsOnStart: base.config.deps.sync_on_start,
      depInstaller,
      mode: cells.mode,
      pool: cells.warm_kernels ?? (longLived ? 1 : 0),
      environment: {
        passthrough: terminal.env_passthrough,
        passProxies: terminal.pass_proxies,
        passCertificates: terminal.pass_certificates,
      },
      redaction: base.config.code_execution.redaction,
      ...defined(rest),
      ...(keeps ? { snapshot, snapshotKey: await openSnapshotKey(base.folder) } : { snapshot: false }),
      home,
      ...(base.writable ? { stagingRoot: join(base.folder, ".state", "staging") } : {}),
      ...(base.config.embeddings.engine === "none" && options.embedder === undefined ? { embedder: null } : {}),
      executor: started.executor,
      ...defined({ programs, interpreters }),
      storage,
      base: base.folder,
      tools: [...toolkits, ...tools],
      limits: { ...limitsFromConfig(base.config), ...limits },
      problems: [
        ...problems.map(({ source, error }) => ({ ...error.toJSON(), file: source })),
        ...warnings,
        ...(snapshot !== false && !keeps ? [notKept(base.folder)] : []),
      ],
      owned: [...owned, ...started.owned, storage],
    });
    try {
      await session.ready();
    } catch (thrown) {
      await session.close();
      throw thrown;
    }
    return session;
  }

  /**
   * Opens a session on a folder, as `fromBase` does, whose kernels are processes of their own on this machine, whatever config.yaml
   * names. With `venv`, its Python cells have a clean virtual environment to themselves.
   *
   * @throws ArtificerError as `fromBase` does
   */
  static subprocess(folder: string, options: Omit<FromBaseOptions, "executor"> = {}): Promise<Session> {
    return Session.fromBase(folder, { ...options, executor: "subprocess" });
  }
}

/** The path of the interpreter that a session's Python cells run in. */
async function kernelInterpreter({ parts }: Session, request: { signal?: AbortSignal }): Promise<string> {
  const program = parts.programs.find(({ language }) => language === "python") ?? createPythonKernel();
  return (await program.findInterpreter({ path: parts.interpreters?.python, ...request })).path;
}

function notKept(folder: string): SessionProblem {
  return {
    code: "storage/read-only",
    message: `Variables are not kept beyond this session: ${folder} can't be written.`,
    hint: "Give write permission to the folder, or open the session with snapshot: false.",
  };
}

/** An option passed on as undefined was not set. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

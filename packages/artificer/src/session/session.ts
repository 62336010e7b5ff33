import { join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";
import type { CellEngine, Embedder, Executor, KernelProgram, Storage, Toolkit } from "@artificer/protocol";
import {
  artificerHome,
  CoreSession,
  type CoreSessionOptions,
  type PolicyOptions,
  type SessionLimits,
  type SessionMode,
  type SessionProblem,
  type SnapshotOptions,
  type StartupCode,
  type ToolHook,
} from "@artificer/runtime";
import type { FileStorage } from "@artificer/storage-file";
import type { ExecutorKind } from "../config/config-schema.js";
import { createLiveLimits } from "../config/create-live-limits.js";
import { limitsFromConfig } from "../config/limits-from-config.js";
import { policyFromConfig } from "../config/policy-from-config.js";
import { snapshotFromConfig } from "../config/snapshot-from-config.js";
import { createPipInstaller } from "../deps/create-pip-installer.js";
import { packagesFolder } from "../executor/executor-from-config.js";
import type { SecretProvider } from "../tools/create-secret-resolver.js";
import { openBaseTools } from "../tools/open-base-tools.js";
import type { VenvOptions } from "../venv/venv-options.js";
import { basePython } from "./base-python.js";
import { checkPackages } from "./check-packages.js";
import { knownSecretsOf } from "./known-secrets-of.js";
import { type Base, openBase } from "./open-base.js";
import { sessionExecutor } from "./session-executor.js";
import { sessionParts } from "./session-parts.js";
import { openSessionStorage, type SessionStorage } from "./session-storage.js";
import { snapshotKeysOf } from "./snapshot-keys.js";
import { startSweep } from "./start-sweep.js";

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
  /** A storage of yours, which you close, or the URL or folder of one: see `openStorage`. Default: as config.yaml says, else the folder. */
  storage?: Storage | string;
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
  /** Reads TypeScript cells for errors of type before they run, unless a run says otherwise. Default: as config.yaml says, else false. */
  check?: boolean;
  /** False locks the deps to those of requirements.txt. */
  allowRuntimeDeps?: boolean;
  /** Installs the deps of requirements.txt before the first cell. */
  syncDepsOnStart?: boolean;
  /** Stand around every tool call of every cell, the first of them outermost: to look on, to refuse, to answer from a cache. */
  toolHooks?: readonly ToolHook[];
  /** Holds beside that of config.yaml: of two that differ, the stricter counts. */
  policy?: PolicyOptions;
  /** `off` lets secrets pass into output, outcomes and the journal. Default: as config.yaml says. */
  redaction?: "on" | "off";
  /** Texts to be redacted, besides values of secret-looking variables and what is written as keys are. */
  secrets?: readonly string[];
  /** Functions that config.yaml's secrets may come from, by name: a keychain, a vault. */
  secretProviders?: Readonly<Record<string, SecretProvider>>;
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
  /** Code that is run in every kernel of its language before the first cell. Default: as config.yaml says. */
  startupCode?: StartupCode;
  /** Keeps the variables for a later session of the same id. Default: as config.yaml says, else on when an `id` is given. */
  snapshot?: boolean | Partial<SnapshotOptions>;
  /**
   * Signs the variables, 32 bytes or more; of several the first signs, and what the others signed is accepted. The same for all bases that
   * share a storage, so that a session can be taken up on another machine. Default: as config.yaml says, else a key of the base's own.
   */
  snapshotKey?: Uint8Array | readonly Uint8Array[];
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
    const kept = await openSessionStorage(base, { storage: options.storage, home, hostEnv: options.hostEnv });
    try {
      return await Session.#onBase({ ...base, config: kept.config }, kept, { ...options, home });
    } catch (thrown) {
      // Closing twice does no harm: a session that failed to open has closed it already.
      await Promise.all(kept.owned.map((part) => part.close()));
      throw thrown;
    }
  }

  static async #onBase(
    base: Base,
    kept: SessionStorage,
    options: FromBaseOptions & { home: string },
  ): Promise<Session> {
    const { home } = options;
    const { code_execution: cells, terminal } = base.config;
    const found = knownSecretsOf(base, options);
    const signing = await snapshotKeysOf(base, { ...options, onSecret: found.add });
    const started = sessionExecutor(options.executor ?? base.config.executor, base.config, {
      base: base.folder,
      home,
      folder: options.cwd ?? process.cwd(),
      host: options.hostEnv ?? process.env,
    });
    const python = basePython(base, started, options);
    const packageProblems = await checkPackages(base.folder);
    let session: Session | undefined;
    const { toolkits, problems, warnings } = await openBaseTools(base, {
      onSecret: found.add,
      ...(options.secretProviders === undefined ? {} : { providers: options.secretProviders }),
      cache: base.writable,
      stored: kept.storedTools,
      onWarning: (warning) => session?.report(warning),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const { engine } = base.config.python;
    const depInstaller = createPipInstaller({
      folder: packagesFolder(base.folder),
      // Asked only once the session stands.
      interpreter: (request) => kernelInterpreter(session!, request),
      args: base.config.deps.install_args,
      ...(options.hostEnv === undefined ? {} : { hostEnv: options.hostEnv }),
    });
    const { limits, tools = [], executor, longLived = false, secretProviders, venv, ...rest } = options;
    const sweep = startSweep(kept.storage, base, { onProblem: (problem) => session?.report(problem) });
    const snapshot = snapshotFromConfig(base.config, options);
    const keeps = snapshot !== false && (base.writable || (signing.shared && !isReadOnly(kept.storage)));
    const open = async (): Promise<Session> =>
      new Session({
        engine,
        allowShell: cells.allow_shell,
        check: cells.check,
        allowRuntimeDeps: base.config.deps.allow_runtime,
        syncDepsOnStart: base.config.deps.sync_on_start,
        ...(started.seesPackages ? { depInstaller } : {}),
        mode: cells.mode,
        pool: cells.warm_kernels ?? (longLived ? 1 : 0),
        environment: {
          passthrough: terminal.env_passthrough,
          passProxies: terminal.pass_proxies,
          passCertificates: terminal.pass_certificates,
          withheld: signing.texts,
        },
        redaction: base.config.code_execution.redaction,
        ...(cells.startup_code === undefined ? {} : { startupCode: cells.startup_code }),
        liveLimits: createLiveLimits(base.config, {
          folders: { base: base.folder, home },
          stored: kept.stored,
          given: limits ?? {},
          onProblem: (problem) => session?.report(problem),
        }),
        ...defined(rest),
        ...(keeps ? { snapshot, snapshotKey: await signing.keys() } : { snapshot: false }),
        home,
        ...(base.writable ? { stagingRoot: join(base.folder, ".state", "staging") } : {}),
        ...(base.config.embeddings.engine === "none" && options.embedder === undefined ? { embedder: null } : {}),
        search: defined({ maxInMemory: base.config.embeddings.max_in_memory }),
        executor: started.executor,
        ...defined({ programs: python.programs, interpreters: python.interpreters }),
        storage: kept.storage,
        base: base.folder,
        policy: [options.policy, policyFromConfig(base.config)].filter((policy) => policy !== undefined),
        tools: [...toolkits, ...tools],
        limits: { ...limitsFromConfig(base.config), ...limits },
        problems: [
          ...kept.problems,
          ...problems.map(({ source, error }) => ({ ...error.toJSON(), file: source })),
          ...warnings,
          ...packageProblems,
          ...(snapshot !== false && !keeps ? [notKept(base.folder)] : []),
          ...found.problems,
        ],
        owned: [...python.owned, sweep, ...started.owned, ...kept.owned],
      });
    try {
      session = await open();
    } catch (thrown) {
      // A policy that is wrong, for one: what was opened for the session is nobody's now.
      const parts = [...toolkits, sweep, ...started.owned];
      await Promise.allSettled(parts.map(async (part) => part.close?.()));
      throw thrown;
    }
    await found.tell((name, value) => session?.learnSecret(name, value));
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
  // What is named for a container is in its image; packages are installed by the host.
  const named = parts.executor.capabilities.isolation === "container" ? undefined : parts.interpreters?.python;
  return (await program.findInterpreter({ path: named, ...request })).path;
}

function isReadOnly(storage: Storage): boolean {
  return (storage as Partial<FileStorage>).readOnly === true;
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

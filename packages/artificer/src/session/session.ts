import { join } from "node:path";
import { createLocalEmbedder } from "@artificer/embeddings/local";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import { createPythonKernel } from "@artificer/kernel-python";
import type { CellEngine, Embedder, Executor, KernelProgram, Storage, Toolkit } from "@artificer/protocol";
import { CoreSession, type CoreSessionOptions, createMemoryStorage, type SessionLimits } from "@artificer/runtime";
import { openFileStorage } from "@artificer/storage-file";
import { loadCliToolkits } from "@artificer/tools/cli";
import { limitsFromConfig } from "../config/limits-from-config.js";
import { createPipInstaller } from "../deps/create-pip-installer.js";
import { openBase } from "./open-base.js";

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
  /** What runs Python cells. */
  engine?: CellEngine;
  /** False closes the shorthand that runs a shell in a cell: `!`, `%%bash` and their like. No security boundary. */
  allowShell?: boolean;
  /** False locks the deps to those of requirements.txt. */
  allowRuntimeDeps?: boolean;
  /** Installs the deps of requirements.txt before the first cell. */
  syncDepsOnStart?: boolean;
}

/** A session with embedded defaults: files, subprocess kernels, a model that comes with the install. */
export class Session extends CoreSession {
  constructor(options: SessionOptions = {}) {
    const { tools, storage, executor, programs, embedder, owned = [], ...rest } = options;
    const own: { close(): Promise<void> }[] = [...owned];
    const openOwn = <T extends { close?(): Promise<void> }>(part: T): T => {
      own.push({ close: async () => part.close?.() });
      return part;
    };
    const usedEmbedder = embedder === undefined ? openOwn(createLocalEmbedder()) : embedder;
    super({
      ...rest,
      storage: storage ?? openOwn(createMemoryStorage()),
      executor: executor ?? openOwn(createSubprocessExecutor()),
      programs: programs ?? [createPythonKernel()],
      ...(usedEmbedder === null ? {} : { embedder: usedEmbedder }),
      toolkits: tools ?? [],
      owned: own,
    });
  }

  /**
   * Opens a session on a folder: finds tools/, skills/, artifacts/, requirements.txt and config.yaml, and makes what is missing.
   * A broken tool definition does not stop it: see `problems`.
   *
   * @throws ArtificerError `config/…` for a bad config.yaml, `session/base-not-writable`, `storage/…`
   */
  static async fromBase(folder: string, options: FromBaseOptions = {}): Promise<Session> {
    const base = await openBase(folder);
    const storage = await openFileStorage(base.folder);
    const { toolkits, problems } = await loadCliToolkits(
      base.toolsFolder,
      options.cwd === undefined ? {} : { cwd: options.cwd },
    );
    const { interpreter, engine } = base.config.python;
    const python = createPythonKernel();
    const depInstaller = createPipInstaller({
      folder: join(base.folder, ".state", "python"),
      interpreter: async (request) => (await python.findInterpreter({ path: interpreter, ...request })).path,
      args: base.config.deps.install_args,
    });
    const { limits, tools = [], ...rest } = options;
    return new Session({
      programs: [python],
      engine,
      allowShell: base.config.code_execution.allow_shell,
      allowRuntimeDeps: base.config.deps.allow_runtime,
      syncDepsOnStart: base.config.deps.sync_on_start,
      depInstaller,
      ...rest,
      ...(base.config.embeddings.engine === "none" && options.embedder === undefined ? { embedder: null } : {}),
      storage,
      base: base.folder,
      tools: [...toolkits, ...tools],
      limits: { ...limitsFromConfig(base.config), ...limits },
      ...(interpreter === undefined ? {} : { interpreters: { python: interpreter } }),
      problems: problems.map(({ source, error }) => ({ ...error.toJSON(), file: source })),
      owned: [storage],
    });
  }
}

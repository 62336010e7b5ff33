import { createLocalEmbedder } from "@artificer/embeddings/local";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import { createPythonKernel } from "@artificer/kernel-python";
import type { Embedder, Executor, KernelProgram, Storage, Toolkit } from "@artificer/protocol";
import {
  CoreSession,
  type CoreSessionOptions,
  createMemoryStorage,
  type SessionLimits,
  type SessionProblem,
  type SnapshotOptions,
} from "@artificer/runtime";
import { openFileStorage } from "@artificer/storage-file";
import { loadCliToolkits } from "@artificer/tools/cli";
import { limitsFromConfig } from "../config/limits-from-config.js";
import { snapshotFromConfig } from "../config/snapshot-from-config.js";
import { openBase } from "./open-base.js";
import { openSnapshotKey } from "./open-snapshot-key.js";

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
  /** Who the session belongs to: nobody else can open it again. */
  owner?: string;
  /** Keeps the variables for a later session of the same id. Default: as config.yaml says, else on when an `id` is given. */
  snapshot?: boolean | Partial<SnapshotOptions>;
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
   * @throws ArtificerError `config/…` for a bad config.yaml, `session/base-not-writable`, `session/not-owner`, `storage/…`
   */
  static async fromBase(folder: string, options: FromBaseOptions = {}): Promise<Session> {
    const base = await openBase(folder);
    const storage = await openFileStorage(base.folder);
    const { toolkits, problems } = await loadCliToolkits(
      base.toolsFolder,
      options.cwd === undefined ? {} : { cwd: options.cwd },
    );
    const { interpreter } = base.config.python;
    const { limits, tools = [], ...rest } = options;
    const snapshot = snapshotFromConfig(base.config, options);
    const keeps = snapshot !== false && base.writable;
    const session = new Session({
      ...rest,
      ...(keeps ? { snapshot, snapshotKey: await openSnapshotKey(base.folder) } : { snapshot: false }),
      ...(base.config.embeddings.engine === "none" && options.embedder === undefined ? { embedder: null } : {}),
      storage,
      base: base.folder,
      tools: [...toolkits, ...tools],
      limits: { ...limitsFromConfig(base.config), ...limits },
      ...(interpreter === undefined ? {} : { interpreters: { python: interpreter } }),
      problems: [
        ...problems.map(({ source, error }) => ({ ...error.toJSON(), file: source })),
        ...(snapshot !== false && !keeps ? [notKept(base.folder)] : []),
      ],
      owned: [storage],
    });
    try {
      await session.ready();
    } catch (thrown) {
      await session.close();
      throw thrown;
    }
    return session;
  }
}

function notKept(folder: string): SessionProblem {
  return {
    code: "storage/read-only",
    message: `Variables are not kept beyond this session: ${folder} can't be written.`,
    hint: "Give write permission to the folder, or open the session with snapshot: false.",
  };
}

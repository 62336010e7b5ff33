import { createLocalEmbedder } from "@artificer/embeddings/local";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import { createTypescriptKernel } from "@artificer/kernel-typescript";
import { ArtificerError, type Executor } from "@artificer/protocol";
import {
  type CoreSessionOptions,
  createKernelPool,
  createMemoryStorage,
  type SessionProblem,
} from "@artificer/runtime";
import { sessionVenv, venvsFolder } from "../venv/session-venv.js";
import { createProjectPython } from "./create-project-python.js";
import type { SessionOptions } from "./session.js";

/**
 * Everything that a session is made of: what was given, else the parent's, else the embedded default, which the session
 * then owns.
 */
export function sessionParts(
  options: SessionOptions,
  onProblem: (problem: SessionProblem) => void,
): CoreSessionOptions {
  const { tools, storage, executor, embedder, pool = 0, owned = [], venv, ...rest } = options;
  const parent = options.parent?.parts;
  const own: { close(): Promise<void> }[] = [...owned];
  const openOwn = <T extends { close?(): Promise<void> }>(part: T): T => {
    own.push({ close: async () => part.close?.() });
    return part;
  };
  const usedEmbedder =
    embedder === undefined ? (parent === undefined ? openOwn(createLocalEmbedder()) : parent.embedder) : embedder;
  const given = executor ?? parent?.executor;
  const inherited = parent === undefined ? {} : inheritable(parent);
  const host = rest.hostEnv ?? parent?.hostEnv ?? process.env;
  const mode = rest.mode ?? parent?.mode ?? "project";
  const folder = rest.cwd ?? parent?.cwd ?? process.cwd();
  const { programs, interpreters } = ownPrograms(options, given, host, openOwn);
  const pooled = (borrowed: Executor | undefined, size: number): Executor => {
    if (size === 0) return borrowed ?? openOwn(createSubprocessExecutor());
    const behind = borrowed === undefined ? createSubprocessExecutor() : lent(borrowed);
    return openOwn(createKernelPool({ executor: behind, size, hostEnv: host }));
  };
  return {
    ...inherited,
    ...rest,
    ...(interpreters === undefined ? {} : { interpreters }),
    ...(parent === undefined ? {} : { limits: { ...parent.limits, ...rest.limits } }),
    storage: storage ?? parent?.storage ?? openOwn(createMemoryStorage()),
    executor: pooled(given, pool),
    programs: programs ??
      parent?.programs ?? [createProjectPython({ mode, folder, host, onProblem }), createTypescriptKernel()],
    ...(usedEmbedder == null ? {} : { embedder: usedEmbedder }),
    toolkits: tools ?? (parent?.toolkits ?? []).map(lent),
    owned: own,
  };
}

/** Programs that were given; or those of an environment of the session's own, which is made of the interpreter that was named. */
function ownPrograms(
  { programs, interpreters, venv }: SessionOptions,
  executor: Executor | undefined,
  hostEnv: Readonly<Record<string, string | undefined>>,
  openOwn: <T extends { close?(): Promise<void> }>(part: T) => T,
): Pick<SessionOptions, "programs" | "interpreters"> {
  if (venv === undefined) return { programs, interpreters } as Pick<SessionOptions, "programs" | "interpreters">;
  if (programs !== undefined) {
    throw new ArtificerError("config/invalid", "A session is given either programs or a venv, not both.", {
      details: { options: ["programs", "venv"] },
      hint: "Leave out programs: a session with a venv has Python and TypeScript.",
    });
  }
  const { python: interpreter, ...others } = interpreters ?? {};
  const own = sessionVenv(executor, { folder: venvsFolder(), hostEnv, interpreter, ...venv });
  openOwn(own.owned);
  return { programs: own.programs, interpreters: others };
}

/** What a sub-agent's session has from its parent's, besides the parts. */
function inheritable(parent: CoreSessionOptions): Partial<CoreSessionOptions> {
  const { cwd, base, env, environment, mode, stagingRoot, home, hostEnv, interpreters, residents } = parent;
  const {
    redaction,
    secrets,
    toolHooks,
    engine,
    allowShell,
    depInstaller,
    allowRuntimeDeps,
    syncDepsOnStart,
    startupCode,
    check,
    search,
  } = parent;
  const places = { cwd, base, env, environment, mode, stagingRoot, home, hostEnv, interpreters, residents };
  const policy = {
    redaction,
    secrets,
    toolHooks,
    engine,
    allowShell,
    depInstaller,
    allowRuntimeDeps,
    syncDepsOnStart,
    check,
    search,
    startupCode,
  };
  const all = { ...places, ...policy };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The same part, which its borrower can't close. */
function lent<T extends { close?(): Promise<void> }>(part: T): T {
  return new Proxy(part, {
    get(target, name) {
      if (name === "close") return async () => {};
      const member = Reflect.get(target, name) as unknown;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

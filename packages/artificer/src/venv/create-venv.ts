import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createPythonKernel, findPythonVersion } from "@artificer/kernel-python";
import { ArtificerError, type Interpreter } from "@artificer/protocol";
import { requireDep } from "@artificer/runtime";
import { hashSpecs } from "../deps/hash-specs.js";
import { noteUse } from "../deps/prune-installations.js";
import { machineSearchPath } from "../session/machine-search-path.js";
import { interpreterOf, isMarkedWhole, makeEnvironment } from "./make-environment.js";
import type { VenvOptions } from "./venv-options.js";

export interface VenvSettings extends VenvOptions {
  /** Environments lie below it, each named by what is in it. Made when first needed. */
  folder: string;
  /** The interpreter that it is made from, by path or name; else one is looked for. */
  interpreter?: string | undefined;
  /** More arguments for pip or uv. */
  args?: readonly string[] | undefined;
  /** Bound on making it, in milliseconds. Default 600,000. */
  timeoutMs?: number | undefined;
  /** The host's environment, of which an allow-list passes to installers. Default `process.env`. */
  hostEnv?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Where an environment is, or would be made, and from what. */
export interface VenvPlace {
  environment: string;
  made: boolean;
  base: Interpreter;
}

/** A virtual environment that is made when it is first needed. */
export interface Venv {
  /** Finds what there is; makes nothing. */
  locate(options?: { signal?: AbortSignal | undefined }): Promise<VenvPlace>;
  /**
   * Its interpreter; the environment is made when it is missing, half made, moved or broken.
   *
   * @throws ArtificerError `kernel/interpreter-missing`, `kernel/interpreter-too-old`, `kernel/environment-failed`,
   *   `dep/install-failed`, `storage/full`, `storage/read-only`
   */
  open(options?: { signal?: AbortSignal | undefined }): Promise<Interpreter>;
  /** Gives up what is being made. */
  close(): Promise<void>;
}

/**
 * A virtual environment, named by its interpreter and packages: those who ask for the same share one, across sessions and
 * processes, and it is made once.
 *
 * @throws ArtificerError `dep/invalid` for a package that is no requirement
 */
export function createVenv(settings: VenvSettings): Venv {
  const { packages = [], args = [], timeoutMs = 600_000, hostEnv = process.env } = settings;
  for (const spec of packages) requireDep(spec);
  const machine = { ...hostEnv, PATH: machineSearchPath(hostEnv) };
  const kernel = createPythonKernel({ searchPath: machine.PATH });
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  async function base(signal: AbortSignal): Promise<Interpreter> {
    const { python, interpreter } = settings;
    if (interpreter === undefined && python !== undefined)
      return findPythonVersion(python, { hostEnv: machine, signal });
    const found = await kernel.findInterpreter({ ...(interpreter === undefined ? {} : { path: interpreter }), signal });
    if (python === undefined || found.version === python || found.version.startsWith(`${python}.`)) return found;
    throw new ArtificerError(
      "kernel/interpreter-missing",
      `The interpreter that is named, ${found.path}, is Python ${found.version}, not ${python} as its virtual environment asks for.`,
      {
        details: { path: found.path, version: found.version, wanted: python },
        hint: "Leave out python.interpreter, so that one of that version is looked for, or the version.",
      },
    );
  }

  async function locate(signal: AbortSignal): Promise<VenvPlace> {
    const found = await base(signal);
    // What is installed remembers its place: in a base that has been moved, or is seen at two places, each has its own.
    const folder = realPath(settings.folder);
    const environment = join(folder, await hashSpecs(packages, [...args, folder, ...identity(found)]));
    return { environment, made: isMarkedWhole(environment), base: found };
  }

  async function open(signal: AbortSignal): Promise<Interpreter> {
    const { environment, made, base } = await locate(signal);
    const make = () =>
      makeEnvironment(base, { target: environment, packages, args, timeoutMs, hostEnv: machine, signal });
    const ask = () => kernel.findInterpreter({ path: interpreterOf(environment), signal });
    if (!made) await make();
    else await noteUse(environment);
    try {
      return await ask();
    } catch (thrown) {
      signal.throwIfAborted();
      if (!made) throw thrown;
      // It was whole once. What has become of it since is looked into under its lock, and made good.
      await make();
      return ask();
    }
  }

  function during<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const either = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
    const done = Promise.resolve().then(() => work(either));
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(settled);
    void settled.then(() => underWay.delete(settled));
    return done;
  }

  return {
    locate: ({ signal } = {}) => during(locate, signal),
    open: ({ signal } = {}) => during(open, signal),
    async close() {
      closing.abort(new ArtificerError("session/closed", "The session was closed while its environment was made."));
      await Promise.all(underWay);
    },
  };
}

/** Of a path whose end may not be there yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** What makes an interpreter another one: an upgrade in place changes its file, if not its version. */
function identity({ path, version, abi = "" }: Interpreter): string[] {
  const real = realpathSync(path);
  return [real, version, abi, String(statSync(real).mtimeMs)];
}

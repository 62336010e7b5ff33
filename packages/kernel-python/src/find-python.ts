import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { ArtificerError, type Interpreter } from "@artificer/protocol";
import { probePython, probeTimeoutMs } from "./probe-python.js";
import { isProgram, programsOnPath } from "./programs-on-path.js";
import { pythonNames } from "./python-names.js";
import { isNewEnough, minimumVersion } from "./python-version.js";

export interface FindPythonOptions {
  path?: string;
  virtualEnv?: string;
  searchPath?: string;
  /** For all programs that are asked, in milliseconds. Default 20 s each. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * Finds an interpreter: the path asked for, else the virtual environment's, else `python3` or `python` on the search path.
 *
 * @throws ArtificerError `kernel/interpreter-missing`, `kernel/interpreter-too-old`, `kernel/start-timed-out` for one that does not answer.
 */
export async function findPython(options: FindPythonOptions = {}): Promise<Interpreter> {
  const { timeoutMs, signal } = options;
  if (options.path !== undefined)
    return checked(await probePython(locate(options.path, options), { timeoutMs, signal }));
  if (options.virtualEnv !== undefined) {
    const path = join(options.virtualEnv, pythonNames().inEnvironment);
    if (!isProgram(path)) {
      throw missing(`The virtual environment ${options.virtualEnv} has no interpreter at ${path}.`, path);
    }
    return checked(await probePython(path, { timeoutMs, signal }));
  }
  return findOnSearchPath(options);
}

/** The first that is new enough; one that is too old, or does not start, is passed over as long as there are others. */
async function findOnSearchPath(options: FindPythonOptions): Promise<Interpreter> {
  let problem: unknown;
  const { timeoutMs = Number.POSITIVE_INFINITY, signal } = options;
  const until = performance.now() + timeoutMs;
  const paths = candidates(options);
  for (const [index, path] of paths.entries()) {
    // One that hangs must leave time for those behind it.
    const share = (until - performance.now()) / (index < paths.length - 1 ? 2 : 1);
    try {
      return checked(await probePython(path, { timeoutMs: Math.ceil(Math.min(probeTimeoutMs, share)), signal }));
    } catch (error) {
      options.signal?.throwIfAborted();
      problem ??= error;
    }
  }
  throw problem ?? missing("There is no Python on this machine's PATH.", "python3");
}

function candidates({ searchPath = process.env.PATH ?? "" }: FindPythonOptions): string[] {
  return pythonNames().onPath.flatMap((name) => programsOnPath(name, searchPath));
}

/** A bare name is looked for on the search path, as a shell would. */
function locate(path: string, options: FindPythonOptions): string {
  if (path.includes("/") || path.includes("\\")) {
    if (!isProgram(path)) throw missing(`${whatIsAt(path)}.`, path);
    return path;
  }
  const [found] = programsOnPath(path, options.searchPath ?? process.env.PATH ?? "");
  if (found === undefined) throw missing(`There is no ${path} on this machine's PATH.`, path);
  return found;
}

function whatIsAt(path: string): string {
  const found = lookAt(path);
  if (found === undefined) return `There is no program at ${path}`;
  if (found.isDirectory())
    return `${path} is a folder; the interpreter in it is named by its own path, often bin/python`;
  return `${path} can't be run: it is not marked as executable (chmod +x), or not for this user`;
}

/** A path may be no path at all: too long, or with a NUL in it. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function checked(interpreter: Interpreter): Interpreter {
  if (isNewEnough(interpreter.version)) return interpreter;
  throw new ArtificerError(
    "kernel/interpreter-too-old",
    `${interpreter.path} is Python ${interpreter.version}; cells need ${minimumVersion.join(".")} or newer.`,
    {
      details: { path: interpreter.path, version: interpreter.version, minimum: minimumVersion.join(".") },
      hint: "Install a newer Python, or name one by its path in the configuration.",
    },
  );
}

function missing(message: string, path: string): ArtificerError {
  return new ArtificerError("kernel/interpreter-missing", message, {
    details: { path },
    hint: "Install Python 3.9 or newer, or name an interpreter by its path in the configuration.",
  });
}

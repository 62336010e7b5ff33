import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ArtificerError, type Interpreter } from "@artificer/protocol";
import { probePython } from "./probe-python.js";

/** The oldest Python that the kernel runs on. */
export const minimumVersion = [3, 9] as const;

export interface FindPythonOptions {
  path?: string;
  virtualEnv?: string;
  searchPath?: string;
  signal?: AbortSignal;
}

/**
 * Finds an interpreter: the path asked for, else the virtual environment's, else `python3` or `python` on the search path.
 *
 * @throws ArtificerError `kernel/interpreter-missing`, `kernel/interpreter-too-old`.
 */
export async function findPython(options: FindPythonOptions = {}): Promise<Interpreter> {
  const { signal } = options;
  if (options.path !== undefined) return checked(await probePython(locate(options.path, options), { signal }));
  if (options.virtualEnv !== undefined) {
    const path = join(options.virtualEnv, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
    if (!isProgram(path)) {
      throw missing(`The virtual environment ${options.virtualEnv} has no interpreter at ${path}.`, path);
    }
    return checked(await probePython(path, { signal }));
  }
  return findOnSearchPath(options);
}

/** The first that is new enough; one that is too old, or does not start, is passed over as long as there are others. */
async function findOnSearchPath(options: FindPythonOptions): Promise<Interpreter> {
  let problem: unknown;
  for (const path of candidates(options)) {
    try {
      return checked(await probePython(path, { signal: options.signal }));
    } catch (error) {
      options.signal?.throwIfAborted();
      problem ??= error;
    }
  }
  throw problem ?? missing("There is no Python on this machine's PATH.", "python3");
}

function candidates({ searchPath = process.env.PATH ?? "" }: FindPythonOptions): string[] {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== "");
  const names = process.platform === "win32" ? ["python.exe"] : ["python3", "python"];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).filter(isProgram);
}

/** A bare name is looked for on the search path, as a shell would. */
function locate(path: string, options: FindPythonOptions): string {
  if (path.includes("/") || path.includes("\\")) {
    if (!isProgram(path)) throw missing(`There is no program at ${path}.`, path);
    return path;
  }
  const folders = (options.searchPath ?? process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = folders.map((folder) => join(folder, path)).find(isProgram);
  if (found === undefined) throw missing(`There is no ${path} on this machine's PATH.`, path);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function checked(interpreter: Interpreter): Interpreter {
  const [major = 0, minor = 0] = interpreter.version.split(".").map(Number);
  const [wantedMajor, wantedMinor] = minimumVersion;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return interpreter;
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

import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { ArtificerError, type Interpreter } from "@artificer/protocol";
import { askProgram } from "./ask-program.js";
import { installedPythons } from "./installed-pythons.js";
import { probePython } from "./probe-python.js";
import { isProgram, programsOnPath } from "./programs-on-path.js";
import { meetsVersion, requireVersion } from "./python-version.js";

export interface FindPythonVersionOptions {
  /** Says where to look: PATH, HOME, PYENV_ROOT and their kind. Default `process.env`. */
  hostEnv?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

interface Seen {
  path: string;
  version: string;
}

/** For one program, in milliseconds: one that hangs must not hold up those behind it for long. */
const askTimeoutMs = 10_000;

/**
 * Finds an interpreter of a version such as `3.12`: by name on the search path, in the folders of version managers, then as uv
 * knows it. Nothing is downloaded.
 *
 * @throws ArtificerError `kernel/interpreter-missing`, which tells what there is instead; `kernel/interpreter-too-old` or
 *   `config/invalid` for a version that can't be had.
 */
export async function findPythonVersion(wanted: string, options: FindPythonVersionOptions = {}): Promise<Interpreter> {
  requireVersion(wanted);
  const { hostEnv = process.env, signal } = options;
  const searchPath = hostEnv.PATH ?? "";
  const seen: Seen[] = [];
  const problems: string[] = [];
  const asked = new Set<string>();

  const match = async (path: string): Promise<Interpreter | undefined> => {
    const identity = identify(path);
    if (asked.has(identity)) return undefined;
    asked.add(identity);
    try {
      const found = await probePython(path, { timeoutMs: askTimeoutMs, signal });
      if (meetsVersion(found.version, wanted)) return found;
      seen.push({ path: found.path, version: found.version });
    } catch (thrown) {
      signal?.throwIfAborted();
      problems.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
    return undefined;
  };

  const minor = wanted.split(".").slice(0, 2).join(".");
  const names = wanted.includes(".") ? [`python${minor}`, "python3", "python"] : ["python3", "python"];
  const installed = installedPythons(hostEnv);
  const fitting = installed.filter(({ named }) => meetsVersion(named, wanted) || meetsVersion(wanted, named));
  for (const path of [
    ...names.flatMap((name) => programsOnPath(name, searchPath)),
    ...fitting.map(({ path }) => path),
  ]) {
    const found = await match(path);
    if (found !== undefined) return found;
  }
  const fromUv = await askUv(wanted, searchPath, signal);
  const found = fromUv === undefined ? undefined : await match(fromUv);
  if (found !== undefined) return found;
  const others = installed.filter((one) => !fitting.includes(one)).map(({ path, named }) => ({ path, version: named }));
  throw missing(wanted, distinct([...seen, ...others]), problems);
}

/** One interpreter under several names is asked once; a manager's shim is one program that is another by each of its names. */
function identify(path: string): string {
  const real = realpathSync(path);
  return basename(real).startsWith("python") ? real : path;
}

/** A version that uv has, or knows of, without its fetching one. */
async function askUv(wanted: string, searchPath: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const [uv] = programsOnPath("uv", searchPath);
  if (uv === undefined) return undefined;
  const args = ["python", "find", "--no-python-downloads", "--no-project", wanted];
  const answer = await askProgram(uv, args, { timeoutMs: askTimeoutMs, ...(signal && { signal }) });
  signal?.throwIfAborted();
  const path = answer.stdout.trim();
  return answer.failure === undefined && isProgram(path) ? path : undefined;
}

function distinct(seen: readonly Seen[]): Seen[] {
  const byPath = new Map(seen.map((one) => [one.path, one]));
  return [...byPath.values()];
}

function missing(wanted: string, found: readonly Seen[], problems: readonly string[]): ArtificerError {
  const list = found.map(({ version, path }) => `${version} (${path})`).join(", ");
  return new ArtificerError(
    "kernel/interpreter-missing",
    `There is no Python ${wanted} on this machine${list === "" ? ", nor any other" : `; there is ${list}`}.`,
    {
      details: {
        wanted,
        found: found.map((one) => ({ ...one })),
        ...(problems.length === 0 ? {} : { problems: [...problems] }),
      },
      hint: `Install it (uv python install ${wanted}, pyenv install ${wanted}, or the system's packages), ask for a version that is there, or name its path as python.interpreter.`,
    },
  );
}

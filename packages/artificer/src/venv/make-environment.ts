import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ArtificerError, type Interpreter } from "@artificer/protocol";
import { type BuildJob, firstStepStatus, wholeMark } from "../deps/build-script.js";
import { diskTrouble, installFailed, lastWords } from "../deps/install-failed.js";
import { findUv, installerCommand } from "../deps/installer-command.js";
import { installerEnvironment } from "../deps/installer-environment.js";
import { type BuildResult, runBuild } from "../deps/run-build.js";

export interface EnvironmentOptions {
  /** Where it is or shall be. */
  target: string;
  packages: readonly string[];
  /** More arguments for pip or uv. */
  args: readonly string[];
  /** Bound on making it, in milliseconds. */
  timeoutMs: number;
  hostEnv: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

/** The interpreter of an environment, wherever it is. */
export function interpreterOf(environment: string): string {
  return join(environment, "bin", "python");
}

/** Whether an environment was made at this very place, and wholly. Whether it still runs is another matter. */
export function isMarkedWhole(environment: string): boolean {
  try {
    return readFileSync(join(environment, wholeMark), "utf8") === environment;
  } catch {
    return false;
  }
}

/**
 * Makes a virtual environment and installs its packages: by uv where it is on the search path, else by the interpreter's own
 * venv and pip. One that is whole and runs is left as it is.
 *
 * @throws ArtificerError `kernel/environment-failed`, `dep/install-failed`, `storage/full`, `storage/read-only`
 */
export async function makeEnvironment(interpreter: Interpreter, options: EnvironmentOptions): Promise<void> {
  const { target, packages, args, timeoutMs, hostEnv, signal } = options;
  const uv = findUv(hostEnv.PATH ?? "");
  const python = interpreterOf(target);
  const create =
    uv === undefined
      ? [interpreter.path, "-I", "-m", "venv", target]
      : [uv, "venv", "--python", interpreter.path, target];
  const install = packages.length === 0 ? [] : [[...installerCommand(python, uv), ...args, ...packages]];
  const job: BuildJob = { target, kind: "environment", steps: [create, ...install] };
  const env = installerEnvironment(hostEnv);
  const result = await runBuild(interpreter.path, job, { env, timeoutMs, signal });
  if (result.status !== 0) throw failure(interpreter, result, options);
}

function failure(interpreter: Interpreter, result: BuildResult, options: EnvironmentOptions): ArtificerError {
  const { status, output, timedOut } = result;
  const why = timedOut ? `nothing came of it within ${options.timeoutMs / 1000} s` : undefined;
  if (status === firstStepStatus + 1) return installFailed(options.packages, { output, why });
  const { told, tail } = lastWords(output);
  return new ArtificerError(
    diskTrouble(output) ?? "kernel/environment-failed",
    `The virtual environment at ${options.target} could not be made: ${why ?? (told || `its maker ended with ${status}`)}.`.replace(
      /\.\.$/,
      ".",
    ),
    {
      details: { interpreter: interpreter.path, folder: options.target, output: tail },
      hint: `Nothing is left of it. \`${interpreter.path} -m venv FOLDER\` has to work (on Debian: apt install python3-venv), or uv be there.${tail === "" ? "" : ` Its last words:\n${tail}`}`,
    },
  );
}

import { statSync } from "node:fs";
import { join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";
import { ArtificerError, type Interpreter } from "@artificer/protocol";
import type { DepInstaller } from "@artificer/runtime";
import { draftFolder } from "./build-script.js";
import { hashSpecs } from "./hash-specs.js";
import { installFailed } from "./install-failed.js";
import { findUv, installerCommand } from "./installer-command.js";
import { installerEnvironment } from "./installer-environment.js";
import { noteUse } from "./prune-installations.js";
import { runBuild } from "./run-build.js";
import { runScript } from "./run-script.js";

export interface PipInstallerOptions {
  /** Installations lie below it, in `<version>-<abi>/<hash of the specs>`. Made when first needed. */
  folder: string;
  /** The path of the kernels' interpreter. */
  interpreter(options: { signal?: AbortSignal }): Promise<string>;
  /** More arguments for pip or uv, such as `["--index-url", url]`. */
  args?: readonly string[];
  /** Bound on one installation, in milliseconds. Default 600,000. */
  timeoutMs?: number;
  /** The host's environment, of which an allow-list passes. Default `process.env`. */
  hostEnv?: Readonly<Record<string, string | undefined>>;
}

/**
 * Installs Python packages for a base: with uv where it is on PATH, else with the interpreter's own pip. Each set of specs gets a
 * folder of its own that never changes once it is whole, so kernels of other sessions keep what they import, nothing is ever half
 * installed, and a set that was installed before is found at once. Processes that want the same set at once wait for one another.
 */
export function createPipInstaller(options: PipInstallerOptions): DepInstaller {
  const { args = [], timeoutMs = 600_000, hostEnv = process.env } = options;
  const env = installerEnvironment(hostEnv);
  const python = createPythonKernel();

  const targetOf = async (specs: readonly string[], request: { signal?: AbortSignal }) => {
    const path = await options.interpreter(request);
    const interpreter = await python.findInterpreter({ path, ...request });
    const folder = join(options.folder, nameOf(interpreter), await hashSpecs(specs, args));
    return { path: interpreter.path, folder };
  };

  return {
    async find(specs, request = {}) {
      const { folder } = await targetOf(specs, request);
      if (!isFolder(folder)) return undefined;
      await noteUse(folder);
      return [folder];
    },

    async install(specs, request = {}) {
      const { path, folder } = await targetOf(specs, request);
      if (isFolder(folder)) {
        await noteUse(folder);
        return { paths: [folder], installed: [] };
      }
      const uv = findUv(hostEnv.PATH ?? "");
      if (uv === undefined) await requirePip(path, env);
      const step = [...installerCommand(path, uv), ...args, "--target", draftFolder, ...specs];
      const job = { target: folder, kind: "packages", steps: [step] } as const;
      const { status, output, timedOut } = await runBuild(path, job, { env, timeoutMs, signal: request.signal });
      if (status === 0) return { paths: [folder], installed: [...specs] };
      throw installFailed(specs, {
        output,
        why: timedOut ? `nothing came of it within ${timeoutMs / 1000} s` : undefined,
      });
    },
  };
}

/** What installations for an interpreter are told apart by. */
function nameOf({ version, abi }: Interpreter): string {
  return abi === undefined ? version : `${version}-${abi}`;
}

/** @throws ArtificerError `dep/install-failed` when the interpreter has no pip. */
async function requirePip(python: string, env: Record<string, string>): Promise<void> {
  const script = 'import importlib.util, sys; sys.exit(importlib.util.find_spec("pip") is None)';
  const { status } = await runScript(python, script, undefined, { env, timeoutMs: 30_000 });
  if (status === 0) return;
  throw new ArtificerError(
    "dep/install-failed",
    `Packages can't be installed: ${python} has no pip, and there is no uv on this machine's PATH.`,
    {
      details: { interpreter: python },
      hint: `Give it pip with \`${python} -m ensurepip\` (on Debian: apt install python3-pip), install uv, or name an interpreter that has pip under python.interpreter in config.yaml.`,
    },
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

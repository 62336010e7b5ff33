import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import type { DepInstaller } from "@artificer/runtime";
import { hashSpecs } from "./hash-specs.js";
import { installScript, probeScript } from "./install-script.js";
import { installerEnvironment } from "./installer-environment.js";
import { noteUse, pruneInstallations } from "./prune-installations.js";
import { runInstaller } from "./run-installer.js";

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

interface Target {
  python: string;
  pip: boolean;
  folder: string;
}

const lastLines = 15;

/**
 * Installs Python packages for a base: with uv where it is on PATH, else with the interpreter's own pip. Each set of specs gets a
 * folder of its own that never changes once it is whole, so kernels of other sessions keep what they import, nothing is ever half
 * installed, and a set that was installed before is found at once. Processes that want the same set at once wait for one another.
 */
export function createPipInstaller(options: PipInstallerOptions): DepInstaller {
  const { args = [], timeoutMs = 600_000, hostEnv = process.env } = options;
  const env = installerEnvironment(hostEnv);
  const targets = new Map<string, Promise<Target>>();

  const targetOf = async (signal: AbortSignal | undefined): Promise<Target> => {
    const python = await options.interpreter(signal === undefined ? {} : { signal });
    let target = targets.get(python);
    if (target === undefined) {
      target = probe(python, options.folder, env);
      targets.set(python, target);
      target.catch(() => targets.delete(python));
    }
    return target;
  };

  return {
    async find(specs, { signal } = {}) {
      const target = await targetOf(signal);
      const folder = join(target.folder, await hashSpecs(specs, args));
      if (!isFolder(folder)) return undefined;
      await noteUse(folder);
      return [folder];
    },

    async install(specs, { signal } = {}) {
      const target = await targetOf(signal);
      const folder = join(target.folder, await hashSpecs(specs, args));
      if (isFolder(folder)) {
        await noteUse(folder);
        return { paths: [folder], installed: [] };
      }
      const command = [...installerCommand(target, hostEnv.PATH ?? ""), ...args];
      const job = { target: folder, command, specs };
      const { status, output, timedOut } = await runInstaller(target.python, installScript, job, {
        env,
        timeoutMs,
        signal,
      });
      if (status === 0) {
        await pruneInstallations(target.folder);
        return { paths: [folder], installed: [...specs] };
      }
      throw failed(specs, output, timedOut ? `nothing came of it within ${timeoutMs / 1000} s` : undefined);
    },
  };
}

async function probe(python: string, folder: string, env: Record<string, string>): Promise<Target> {
  const { status, output } = await runInstaller(python, probeScript, undefined, { env, timeoutMs: 30_000 });
  if (status !== 0) throw failed([], output, `${python} did not say what it is`);
  const { version, abi, pip } = JSON.parse(output) as { version: string; abi: string; pip: boolean };
  return { python, pip, folder: join(folder, `${version}-${abi}`) };
}

/** @throws ArtificerError `dep/install-failed` when there is neither uv nor pip. */
function installerCommand({ python, pip }: Target, searchPath: string): string[] {
  const uv = searchPath
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, "uv"))
    .find(isProgram);
  if (uv !== undefined) return [uv, "pip", "install", "--python", python, "--no-progress"];
  if (pip)
    return [python, "-I", "-m", "pip", "install", "--no-input", "--progress-bar", "off", "--no-warn-script-location"];
  throw new ArtificerError(
    "dep/install-failed",
    `Packages can't be installed: ${python} has no pip, and there is no uv on this machine's PATH.`,
    {
      details: { interpreter: python },
      hint: `Give it pip with \`${python} -m ensurepip\` (on Debian: apt install python3-pip), install uv, or name an interpreter that has pip under python.interpreter in config.yaml.`,
    },
  );
}

function failed(specs: readonly string[], output: string, why?: string): ArtificerError {
  const lines = output.trimEnd().split("\n").slice(-lastLines);
  const told = lines.findLast((line) => line.startsWith("ERROR:") || line.startsWith("error:")) ?? lines.at(-1) ?? "";
  return new ArtificerError(
    "dep/install-failed",
    `Installing ${specs.join(", ") || "packages"} failed: ${why ?? told}.`.replace(/\.\.$/, "."),
    {
      details: { specs: [...specs], output: lines.join("\n") },
      hint: `Nothing was changed. The installer's last words:\n${lines.join("\n")}`,
    },
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

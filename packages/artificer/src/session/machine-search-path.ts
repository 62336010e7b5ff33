import { delimiter, join } from "node:path";

type HostEnv = Readonly<Record<string, string | undefined>>;

/** The virtual environments that are active in the host's environment. */
export function activeEnvironments(host: HostEnv): string[] {
  return [host.VIRTUAL_ENV, host.CONDA_PREFIX].filter((path) => path !== undefined && path !== "") as string[];
}

/** An active environment stands first on the search path; the machine's own interpreter is what is found without it. */
export function machineSearchPath(host: HostEnv): string {
  const pythons = activeEnvironments(host).flatMap((path) => pythonsOf(path));
  const folders = new Set(pythons.map((python) => join(python, "..")));
  return (host.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folders.has(join(folder, ".")))
    .join(delimiter);
}

/** Where an environment's interpreter may be. */
export function pythonsOf(environment: string, platform: NodeJS.Platform = process.platform): string[] {
  const names = platform === "win32" ? ["Scripts/python.exe", "python.exe"] : ["bin/python", "bin/python3"];
  return names.map((name) => join(environment, name));
}

import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isProgram } from "./programs-on-path.js";

/** An interpreter that a version manager keeps, and the version that its folder's name tells. */
export interface InstalledPython {
  path: string;
  named: string;
}

type HostEnv = Readonly<Record<string, string | undefined>>;

/** The interpreters in the folders of pyenv, uv, asdf, mise, Homebrew and python.org, newest first. None of them is run. */
export function installedPythons(env: HostEnv): InstalledPython[] {
  const home = env.HOME || homedir();
  const data = env.XDG_DATA_HOME || join(home, ".local", "share");
  const parents = [
    join(env.PYENV_ROOT || join(home, ".pyenv"), "versions"),
    env.UV_PYTHON_INSTALL_DIR || join(data, "uv", "python"),
    join(env.ASDF_DATA_DIR || join(home, ".asdf"), "installs", "python"),
    join(env.MISE_DATA_DIR || join(data, "mise"), "installs", "python"),
    ...(process.platform === "darwin"
      ? ["/opt/homebrew/opt", "/usr/local/opt", "/Library/Frameworks/Python.framework/Versions"]
      : []),
  ];
  return parents.flatMap(pythonsBelow).sort((a, b) => compareVersions(b.named, a.named));
}

function pythonsBelow(parent: string): InstalledPython[] {
  return namesIn(parent).flatMap((name) => {
    // 3.12.1, cpython-3.12.1-linux-x86_64-gnu, python@3.12
    const named = /^(?:cpython-|python@)?(\d+\.\d+(?:\.\d+)?)(?:$|[-+])/.exec(name)?.[1];
    if (named === undefined) return [];
    const bin = join(parent, name, "bin");
    const minor = named.split(".").slice(0, 2).join(".");
    const path = [`python${minor}`, "python3", "python"].map((program) => join(bin, program)).find(isProgram);
    return path === undefined ? [] : [{ path, named }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A program that is called as uv is, works offline, and notes what it was asked. */
export interface StandInUv {
  /** Has its folder first, so that it is found. */
  hostEnv: Record<string, string | undefined>;
  /** The command lines it was given. */
  calls(): string[];
}

/**
 * Environments without pip, filled by the pip of `python`: quick, and needing no index. `making` is what a shell does instead of
 * making one, with the folder as `$4`.
 */
export function standInUv(folder: string, python: string, making?: string): StandInUv {
  const bin = join(folder, "bin");
  const log = join(folder, "calls");
  mkdirSync(bin, { recursive: true });
  const pip = `py=$4; shift 5; exec ${python} -m pip --python "$py" install --no-input --disable-pip-version-check "$@"`;
  const venv = making ?? `exec ${python} -m venv --without-pip "$4"`;
  const text = `#!/bin/sh\necho "$@" >> ${log}\ncase "$1" in\nvenv) ${venv};;\npip) ${pip};;\nesac\nexit 1\n`;
  writeFileSync(join(bin, "uv"), text);
  chmodSync(join(bin, "uv"), 0o755);
  return {
    hostEnv: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

/** What an interpreter answers to an expression. */
export function askPython(python: string, expression: string): string {
  return execFileSync(python, ["-I", "-c", `print(${expression})`])
    .toString()
    .trim();
}

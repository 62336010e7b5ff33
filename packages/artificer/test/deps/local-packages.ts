import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPythonKernel } from "@artificer/kernel-python";

const script = fileURLToPath(new URL("local_wheel.py", import.meta.url));

/** Packages to install without an index, and the interpreter that has the pip to do it. */
export interface LocalPackages {
  python: string;
  /** An interpreter of a virtual environment without pip. */
  bare: string;
  wheels: string;
  /** The interpreter's own. */
  version: string;
  /** Adds a wheel to a folder, by default the common one. */
  makeWheel(name: string, version: string, options?: { requires?: string; folder?: string }): void;
  close(): Promise<void>;
}

export async function openLocalPackages(): Promise<LocalPackages> {
  const { path: python, version } = await createPythonKernel().findInterpreter();
  try {
    execFileSync(python, ["-m", "pip", "--version"], { stdio: "pipe" });
  } catch (cause) {
    throw new Error(`These tests need pip for ${python}.`, { cause });
  }
  const folder = await mkdtemp(join(tmpdir(), "artificer-packages-"));
  const wheels = join(folder, "wheels");
  await mkdir(wheels);
  execFileSync(python, ["-m", "venv", "--without-pip", join(folder, "bare")]);
  return {
    python,
    bare: join(folder, "bare", "bin", "python"),
    wheels,
    version,
    makeWheel(name, version, { requires, folder: where = wheels } = {}) {
      execFileSync(python, [script, where, name, version, ...(requires === undefined ? [] : [requires])]);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

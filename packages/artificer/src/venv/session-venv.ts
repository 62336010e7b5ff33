import { dirname, join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";
import { createTypescriptKernel } from "@artificer/kernel-typescript";
import { ArtificerError, type Executor, type KernelProgram } from "@artificer/protocol";
import { createVenv, type VenvSettings } from "./create-venv.js";
import { createVenvPython } from "./create-venv-python.js";

/** The programs of a session whose Python has an environment of its own, and what the session closes. */
export interface SessionVenv {
  programs: readonly KernelProgram[];
  owned: { close(): Promise<void> };
}

/**
 * An environment for a session's cells.
 *
 * @throws ArtificerError `executor/unsupported` where kernels would not see it; `dep/invalid`
 */
export function sessionVenv(executor: Executor | undefined, settings: VenvSettings): SessionVenv {
  if (executor !== undefined) requireLocalPython(executor);
  const venv = createVenv(settings);
  return { programs: [createVenvPython(venv), createTypescriptKernel()], owned: venv };
}

/** Where a base keeps its environments; without a base that can be written, a folder of this user's. */
export function venvsFolder(base?: string): string {
  if (base !== undefined) return join(base, ".state", "venv");
  return join(dirname(createPythonKernel().cacheFolder!), "venv");
}

/** An environment is made of this machine's interpreters and files. */
function requireLocalPython({ kind, capabilities }: Executor): void {
  const { isolation, languages } = capabilities;
  if ((isolation === "process" || isolation === "sandbox") && languages.includes("python")) return;
  const why = languages.includes("python")
    ? "its kernels run an interpreter that is not this machine's"
    : "it runs no Python cells";
  throw new ArtificerError("executor/unsupported", `The ${kind} executor can't use a virtual environment: ${why}.`, {
    details: { executor: kind, option: "venv" },
    hint:
      isolation === "container"
        ? "Build the Python version and the packages into the image (BASE and PACKAGES of its Dockerfile), and leave out python.venv."
        : "Leave out python.venv, or choose the subprocess or the sandbox executor.",
  });
}

import { createPythonKernel } from "@artificer/kernel-python";
import type { KernelProgram } from "@artificer/protocol";
import type { Venv } from "./create-venv.js";

/** Python whose interpreter is that of a virtual environment, which is made when the first kernel needs it. */
export function createVenvPython(venv: Venv): KernelProgram {
  return {
    ...createPythonKernel(),
    // What asking an interpreter may take is no bound on making one: that has its own, and the caller's signal.
    findInterpreter: ({ signal } = {}) => venv.open({ signal }),
  };
}

import type { KernelProgram } from "@artificer/protocol";

/** A "kernel" that is a shell script: the executor knows nothing of languages. Its wire is descriptor 3. */
export function shellProgram(script: string): KernelProgram {
  return {
    language: "python",
    folder: "/",
    findInterpreter: async ({ path = "/bin/sh" } = {}) => ({ path, version: "1", prefixes: [] }),
    command: (interpreter, { wire }) => [interpreter.path, "-c", script, "kernel", wire],
  };
}

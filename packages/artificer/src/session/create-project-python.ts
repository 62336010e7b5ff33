import { join } from "node:path";
import { createPythonKernel, isProgram } from "@artificer/kernel-python";
import { ArtificerError, type Interpreter, type KernelProgram } from "@artificer/protocol";
import type { SessionMode, SessionProblem } from "@artificer/runtime";
import { activeEnvironments, machineSearchPath, pythonsOf } from "./machine-search-path.js";

export interface ProjectPythonOptions {
  mode: SessionMode;
  /** The session's folder. */
  folder: string;
  host: Readonly<Record<string, string | undefined>>;
  /** Told when a virtual environment is there and can't be used. */
  onProblem(problem: SessionProblem): void;
}

/**
 * Python for a session. In project mode the interpreter of the active virtual environment (`VIRTUAL_ENV`, then
 * `CONDA_PREFIX`), else of the folder's `.venv`; in strict mode, and where there is none, the machine's own. An interpreter
 * named by its path comes before all.
 */
export function createProjectPython({ mode, folder, host, onProblem }: ProjectPythonOptions): KernelProgram {
  const active = activeEnvironments(host);
  const own = createPythonKernel({ searchPath: machineSearchPath(host) });
  if (mode === "strict") return own;

  async function findProject(request: { timeoutMs?: number; signal?: AbortSignal }): Promise<Interpreter | undefined> {
    // Looked for each time: an environment may be made while the session runs.
    const path = [...active, join(folder, ".venv")].flatMap((path) => pythonsOf(path)).find(isProgram);
    if (path === undefined) return undefined;
    try {
      return await own.findInterpreter({ ...request, path });
    } catch (thrown) {
      request.signal?.throwIfAborted();
      if (!ArtificerError.is(thrown)) throw thrown;
      onProblem({
        code: thrown.code,
        message: `The virtual environment's interpreter ${path} can't be used, so the machine's own is: ${thrown.message}`,
        hint: "Make the virtual environment anew, or name an interpreter in python.interpreter.",
      });
      return undefined;
    }
  }

  return {
    ...own,
    async findInterpreter(request = {}) {
      const project = request.path === undefined ? await findProject(request) : undefined;
      return project ?? own.findInterpreter(request);
    },
  };
}

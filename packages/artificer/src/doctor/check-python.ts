import type { KernelProgram } from "@artificer/protocol";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/** Whether an interpreter is found that kernels can run on. `path`: the one that the configuration names. */
export async function checkPython(
  program: KernelProgram,
  options: { path?: string; signal?: AbortSignal } = {},
): Promise<DoctorCheck> {
  try {
    const { path, version } = await program.findInterpreter(options);
    return { name: "python", status: "ok", detail: `${version} at ${path}` };
  } catch (thrown) {
    return failedCheck("python", thrown);
  }
}

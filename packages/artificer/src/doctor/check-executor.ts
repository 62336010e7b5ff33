import type { Executor } from "@artificer/protocol";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

interface CheckExecutorOptions {
  signal?: AbortSignal | undefined;
  /** Whether sessions use it: one that they don't may be unusable, and is told all the same. Default true. */
  required?: boolean;
}

/** Whether kernels can be started this way here; the executor is closed afterwards. */
export async function checkExecutor(executor: Executor, options: CheckExecutorOptions = {}): Promise<DoctorCheck> {
  const unusable = options.required === false ? "warn" : "fail";
  const name = `executor ${executor.kind}`;
  try {
    const { usable, reason, hint, facts = {} } = await executor.probe({ signal: options.signal });
    if (!usable) return { name, status: unusable, detail: reason ?? "can't be used here", ...(hint && { hint }) };
    const told = Object.entries(facts).map(([fact, value]) => `${fact}: ${value}`);
    // Usable, and to be chosen with open eyes.
    if (executor.capabilities.isolation === "none" && options.required !== false) {
      const hint =
        "Cells run within this process: for code that you trust alone. The other executors are kept apart from it.";
      return { name, status: "warn", detail: ["usable", ...told].join(", "), hint };
    }
    return { name, status: "ok", detail: ["usable", ...told].join(", ") };
  } catch (thrown) {
    return failedCheck(name, thrown, unusable);
  } finally {
    await executor.close();
  }
}

import type { Executor } from "@artificer/protocol";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/** Whether kernels can be started this way here; the executor is closed afterwards. */
export async function checkExecutor(executor: Executor, options: { signal?: AbortSignal } = {}): Promise<DoctorCheck> {
  const name = `executor ${executor.kind}`;
  try {
    const { usable, reason, hint, facts = {} } = await executor.probe(options);
    if (!usable) return { name, status: "fail", detail: reason ?? "can't be used here", ...(hint && { hint }) };
    const told = Object.entries(facts).map(([fact, value]) => `${fact}: ${value}`);
    return { name, status: "ok", detail: ["usable", ...told].join(", ") };
  } catch (thrown) {
    return failedCheck(name, thrown);
  } finally {
    await executor.close();
  }
}

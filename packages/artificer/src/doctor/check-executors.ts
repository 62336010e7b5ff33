import { type Config, executorKinds } from "../config/config-schema.js";
import { executorFromConfig } from "../executor/executor-from-config.js";
import { checkExecutor } from "./check-executor.js";
import type { DoctorCheck } from "./doctor-report.js";

/** Which executors can be used here, and why others can't: a reason not to work for the one that is configured alone. */
export async function checkExecutors(
  config: Config,
  options: { base: string; signal?: AbortSignal | undefined },
): Promise<DoctorCheck[]> {
  const { base, signal } = options;
  return Promise.all(
    executorKinds.map((kind) =>
      checkExecutor(executorFromConfig(kind, config, { base }), { signal, required: kind === config.executor }),
    ),
  );
}

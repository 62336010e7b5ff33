import { createPythonKernel } from "@artificer/kernel-python";
import type { Executor } from "@artificer/protocol";
import { openCase } from "@artificer/testkit";

/** A session whose Python cells run under the executor. `attempt` gives what a cell's code came to, or the name of what it failed with. */
export async function openConfined(executor: Executor, options: { cwd?: string; env?: Record<string, string> } = {}) {
  const context = await openCase("python", async () => ({
    executor,
    programs: [createPythonKernel()],
    ...options,
    close: () => executor.close(),
  }));
  return {
    ...context,
    async attempt(code: string): Promise<unknown> {
      const outcome = await context.run(code, { timeoutMs: 20_000 });
      if (outcome.status === "failed") return outcome.error?.type;
      if (outcome.status !== "completed") throw new Error(`${outcome.status}: ${outcome.error?.message}`);
      return outcome.value;
    },
  };
}

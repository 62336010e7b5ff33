import type { Executor } from "@artificer/protocol";

/** The executors that `--executor` can name. */
export const executorKinds = ["subprocess"] as const;

export type ExecutorKind = (typeof executorKinds)[number];

/** The executor of that kind; whoever opens it closes it. */
export async function openExecutor(kind: ExecutorKind): Promise<Executor> {
  const { createSubprocessExecutor } = await import("artificer");
  const factories: Record<ExecutorKind, () => Executor> = { subprocess: () => createSubprocessExecutor() };
  return factories[kind]();
}

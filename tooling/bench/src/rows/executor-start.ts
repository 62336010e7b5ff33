import { createInprocessExecutor, createSandboxExecutor, type Executor } from "artificer";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

interface Start {
  name: string;
  language: "python" | "typescript";
  samples: number;
  budget: string;
  /** The interpreter where the executor runs kernels, when it is another one. */
  interpreter?: string;
  open(): Promise<{ executor: Executor; close?(): Promise<void> } | { reason: string }>;
}

/** The first cell of a new session under an executor, beside the same in a subprocess. */
export function executorStart({ name, language, samples, budget, interpreter, open }: Start): Row {
  return {
    name,
    limit: "the same in a subprocess",
    operations: 1,
    warmUps: 2,
    samples,
    budget,
    async open(bench) {
      const opened = await open();
      if ("reason" in opened) return opened;
      const { executor, close } = opened;
      const firstCell = async (ours: boolean) => {
        const place = ours && interpreter !== undefined ? { python: interpreter } : bench;
        const session = openBenchSession(place, ours ? { executor } : {});
        const outcome = await session.run("1+1", { language });
        return async () => {
          await session.close();
          expectValue(outcome, (value) => value === 2);
        };
      };
      return {
        ours: () => firstCell(true),
        bare: () => firstCell(false),
        async close() {
          await executor.close();
          await close?.();
        },
      };
    },
  };
}

const usable = async (executor: Executor) => {
  const { reason } = await executor.probe();
  return reason === undefined ? { executor } : { reason };
};

/** Needs bubblewrap. */
export const sandboxStart = executorStart({
  name: "first cell in a sandbox",
  language: "python",
  samples: 20,
  budget: "within 30 ms of the limit",
  open: () => usable(createSandboxExecutor()),
});

export const typescriptSandboxStart = executorStart({
  name: "first TypeScript cell in a sandbox",
  language: "typescript",
  samples: 20,
  budget: "within 30 ms of the limit",
  open: () => usable(createSandboxExecutor()),
});

export const inprocessStart = executorStart({
  name: "first TypeScript cell in process",
  language: "typescript",
  samples: 20,
  budget: "below the limit",
  open: () => usable(createInprocessExecutor()),
});

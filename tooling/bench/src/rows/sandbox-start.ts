import { createSandboxExecutor } from "artificer";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

/** The first cell of a new session in a sandbox, beside the same in a subprocess. Needs bubblewrap. */
export const sandboxStart: Row = {
  name: "first cell in a sandbox",
  limit: "the same in a subprocess",
  operations: 1,
  warmUps: 2,
  samples: 20,
  budget: "within 30 ms of the limit",
  async open(bench) {
    const executor = createSandboxExecutor();
    const firstCell = async (confined: boolean) => {
      const session = openBenchSession(bench, confined ? { executor } : {});
      const outcome = await session.run("1+1");
      return async () => {
        await session.close();
        expectValue(outcome, (value) => value === 2);
      };
    };
    return { ours: () => firstCell(true), bare: () => firstCell(false), close: () => executor.close() };
  },
};

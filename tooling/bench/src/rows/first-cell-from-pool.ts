import { setTimeout as delay } from "node:timers/promises";
import { createKernelPool, createSubprocessExecutor } from "artificer";
import { echoProgram, openBarePython } from "../bare-python.js";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

/** From a spare's start until it waits to be handed over, generously. */
const bootMs = 150;

/** The first cell of a new session whose kernel waits in a pool: the hand-over, handles, cell. */
export const firstCellFromPool: Row = {
  name: "first cell from the warm pool",
  limit: "one echo over a pipe to an interpreter that waits",
  operations: 1,
  warmUps: 2,
  samples: 20,
  budget: "p50 under 5 ms",
  async open(bench) {
    const pool = createKernelPool({ executor: createSubprocessExecutor(), size: 1 });
    const bare = await openBarePython(bench.python, echoProgram);
    const message = Buffer.from("1+1\n");
    const refilled = async () => {
      while (pool.status.spares === 0) await delay(5);
      await delay(bootMs);
    };
    const first = openBenchSession(bench, { executor: pool });
    await refilled();
    await first.close();
    return {
      async ours() {
        const session = openBenchSession(bench, { executor: pool });
        const outcome = await session.run("1+1");
        return async () => {
          expectValue(outcome, (value) => value === 2);
          await session.close();
          await refilled();
        };
      },
      async bare() {
        await bare.exchange(message, message.byteLength);
        return undefined;
      },
      async close() {
        if (pool.status.startedCold > 0) throw new Error(`${pool.status.startedCold} samples found the pool empty`);
        await pool.close();
        await bare.close();
      },
    };
  },
};

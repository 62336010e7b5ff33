import { echoProgram, openBarePython } from "../bare-python.js";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

/** A cell of a kernel that is there already. */
export const warmCell: Row = {
  name: "warm Python cell `1+1`",
  limit: "one echo over a pipe",
  operations: 1,
  warmUps: 100,
  samples: 1000,
  budget: "p50 under 0.25 ms, ratio under 6",
  async open(bench) {
    const session = openBenchSession(bench);
    const bare = await openBarePython(bench.python, echoProgram);
    const message = Buffer.from("1+1\n");
    return {
      async ours() {
        const outcome = await session.run("1+1");
        return () => expectValue(outcome, (value) => value === 2);
      },
      async bare() {
        await bare.exchange(message, message.byteLength);
        return undefined;
      },
      async close() {
        await session.close();
        await bare.close();
      },
    };
  },
};

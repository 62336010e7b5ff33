import { echoProgram, openBarePython } from "../bare-python.js";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

const calls = 200;

/** A tool called again and again by one cell, each call waiting for the one before. */
export const sequentialToolCalls: Row = {
  name: "tool call, one after another",
  limit: "one echo over a pipe",
  operations: calls,
  warmUps: 5,
  samples: 40,
  budget: "p50 under 0.1 ms",
  async open(bench) {
    const session = openBenchSession(bench);
    const bare = await openBarePython(bench.python, echoProgram);
    const message = Buffer.from('{"n":1}\n');
    return {
      async ours() {
        const outcome = await session.run(`sum(tools.bench.ping(n=n) for n in range(${calls}))`);
        return () => expectValue(outcome, (value) => value === (calls * (calls - 1)) / 2);
      },
      async bare() {
        for (let call = 0; call < calls; call += 1) await bare.exchange(message, message.byteLength);
        return undefined;
      },
      async close() {
        await session.close();
        await bare.close();
      },
    };
  },
};

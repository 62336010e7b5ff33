import { echoProgram, openBarePython } from "../bare-python.js";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

const calls = 1000;

/** A thousand calls of one cell at once. */
export const gatheredToolCalls: Row = {
  name: "tool call, 1,000 gathered",
  limit: "a thousand lines sent at once, echoed one by one",
  operations: calls,
  warmUps: 3,
  samples: 30,
  budget: "over 20,000/s",
  async open(bench) {
    const session = openBenchSession(bench);
    const bare = await openBarePython(bench.python, echoProgram);
    const lines = Buffer.from('{"n":1}\n'.repeat(calls));
    const code = `import asyncio\nsum(await asyncio.gather(*(bench.ping(n=n) for n in range(${calls}))))`;
    return {
      async ours() {
        const outcome = await session.run(code);
        return () => expectValue(outcome, (value) => value === (calls * (calls - 1)) / 2);
      },
      async bare() {
        await bare.exchange(lines, lines.byteLength);
        return undefined;
      },
      async close() {
        await session.close();
        await bare.close();
      },
    };
  },
};

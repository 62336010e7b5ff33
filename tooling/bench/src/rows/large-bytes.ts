import { openBarePython, pourProgram } from "../bare-python.js";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

const size = 16 * 2 ** 20;

/** A large value on its way to the host. */
export const largeBytes: Row = {
  name: "16 MiB of bytes to the host",
  limit: "16 MiB read from a pipe",
  operations: 1,
  warmUps: 3,
  samples: 20,
  budget: "p50 under 20 ms",
  async open(bench) {
    const session = openBenchSession(bench);
    const bare = await openBarePython(bench.python, pourProgram);
    await session.run(`data = bytes(${size})`);
    return {
      async ours() {
        const outcome = await session.run("data");
        return () => expectValue(outcome, (value) => value instanceof Uint8Array && value.byteLength === size);
      },
      async bare() {
        await bare.exchange(Buffer.from("."), size);
        return undefined;
      },
      async close() {
        await session.close();
        await bare.close();
      },
    };
  },
};

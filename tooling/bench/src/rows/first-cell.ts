import { spawn } from "node:child_process";
import { once } from "node:events";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

/** The first cell of a new session: interpreter, kernel, handles, cell. */
export const firstCell: Row = {
  name: "first cell of a new session",
  limit: "the interpreter's start to its first byte",
  operations: 1,
  warmUps: 2,
  samples: 20,
  budget: "within 60 ms of the limit",
  async open(bench) {
    return {
      async ours() {
        const session = openBenchSession(bench);
        const outcome = await session.run("1+1");
        return async () => {
          await session.close();
          expectValue(outcome, (value) => value === 2);
        };
      },
      async bare() {
        const child = spawn(bench.python, ["-I", "-S", "-c", "print(1+1)"], { stdio: ["ignore", "pipe", "inherit"] });
        const closed = once(child, "close");
        await once(child.stdout, "data");
        return async () => {
          await closed;
        };
      },
      close: async () => {},
    };
  },
};

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

/** The first TypeScript cell of a new session, beside a Node that does nothing. */
export const firstTypescriptCell: Row = {
  name: "first TypeScript cell of a new session",
  limit: "`node -e 0`, from its start to its end",
  operations: 1,
  warmUps: 2,
  samples: 20,
  budget: "within 60 ms of the limit",
  async open(bench) {
    return {
      async ours() {
        const session = openBenchSession(bench);
        const outcome = await session.run("1+1", { language: "typescript" });
        return async () => {
          await session.close();
          expectValue(outcome, (value) => value === 2);
        };
      },
      async bare() {
        await once(spawn(process.execPath, ["-e", "0"], { env: {}, stdio: "ignore" }), "close");
        return undefined;
      },
      close: async () => {},
    };
  },
};

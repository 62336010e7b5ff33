import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectValue, openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

/** A TypeScript cell of a kernel that is there already, beside one message to a child process of Node and back. */
export const warmTypescriptCell: Row = {
  name: "warm TypeScript cell `1+1`",
  limit: "one message to a Node child and back",
  operations: 1,
  warmUps: 100,
  samples: 1000,
  budget: "p50 under 0.35 ms",
  async open(bench) {
    const session = openBenchSession(bench);
    const folder = await mkdtemp(join(tmpdir(), "artificer-bench-"));
    const program = join(folder, "echo.cjs");
    await writeFile(program, "process.on('message', (message) => process.send(message));");
    const child = fork(program, { env: {} });
    return {
      async ours() {
        const outcome = await session.run("1+1", { language: "typescript" });
        return () => expectValue(outcome, (value) => value === 2);
      },
      async bare() {
        const answered = once(child, "message");
        child.send("1+1");
        await answered;
        return undefined;
      },
      async close() {
        await session.close();
        const closed = once(child, "exit");
        child.disconnect();
        await closed;
        await rm(folder, { recursive: true });
      },
    };
  },
};

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openBenchSession } from "../open-bench-session.js";
import type { Row } from "../row.js";

/** From the kill of a kernel in the middle of a cell to the cell's outcome. */
export const deathNoticed: Row = {
  name: "kernel death noticed",
  limit: "a bare interpreter's end told by Node",
  operations: 1,
  warmUps: 2,
  samples: 20,
  budget: "p50 under 20 ms",
  async open(bench) {
    const session = openBenchSession(bench);
    const begin = async () => {
      const pid = Number((await session.run("import os; os.getpid()")).value);
      let begun = () => {};
      const running = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const outcome = session.run("import time\nprint('.', flush=True)\ntime.sleep(600)", { onOutput: begun });
      await running;
      return { pid, outcome };
    };
    const beginBare = async () => {
      const child = spawn(bench.python, ["-I", "-S", "-c", "import os; os.write(1, b'1'); os.read(0, 1)"]);
      await once(child.stdout, "data");
      return child;
    };
    let cell = await begin();
    let bare: ChildProcess = await beginBare();
    return {
      async ours() {
        process.kill(cell.pid, "SIGKILL");
        const { status } = await cell.outcome;
        return async () => {
          if (status !== "crashed") throw new Error(`the killed kernel's cell ended as ${status}`);
          cell = await begin();
        };
      },
      async bare() {
        const ended = once(bare, "exit");
        bare.kill("SIGKILL");
        await ended;
        return async () => {
          bare = await beginBare();
        };
      },
      async close() {
        bare.kill("SIGKILL");
        await session.close();
        await cell.outcome;
      },
    };
  },
};

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { openBenchSession } from "../open-bench-session.js";
import { residentBytes } from "../process-memory.js";
import { mebibytes, type Report } from "../report.js";

const budgetBytes = 15 * 2 ** 20;

/** The resident memory of a kernel that has run a cell and waits, beside that of its bare interpreter. */
export const idleMemory: Report = {
  name: "memory of an idle Python kernel",
  onRequest: false,
  async measure(bench) {
    const session = openBenchSession(bench);
    const bare = spawn(bench.python, ["-I", "-S", "-c", "import os; os.write(1, b'1'); os.read(0, 1)"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    try {
      await once(bare.stdout, "data");
      const pid = Number((await session.run("import os; os.getpid()")).value);
      await session.run("1+1");
      await delay(500);
      const ours = await residentBytes(pid);
      const limit = await residentBytes(bare.pid ?? 0);
      return [
        { what: "resident", value: mebibytes(ours), budget: "under 15 MiB", kept: ours < budgetBytes },
        { what: "the bare interpreter", value: mebibytes(limit) },
      ];
    } finally {
      bare.stdin.end();
      await session.close();
    }
  },
};

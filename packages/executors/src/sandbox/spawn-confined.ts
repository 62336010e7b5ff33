import type { ChildProcess, StdioOptions } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { inheritedDescriptors } from "../child-process/inherited-descriptors.js";
import { spawnChild } from "../child-process/spawn-child.js";

/**
 * Starts a process that gets nothing of this one: no variables, no folder, empty stdin, and no descriptor that this
 * process was itself started with, since a sandbox would pass it on. `pipes`: descriptors that are the two's own.
 *
 * @throws ArtificerError `kernel/start-failed`
 */
export async function spawnConfined(command: readonly string[], { pipes }: { pipes: number[] }): Promise<ChildProcess> {
  const nothing = openSync("/dev/null", "r");
  try {
    const inherited = inheritedDescriptors();
    const count = Math.max(...pipes, ...inherited) + 1;
    const stdio = Array.from({ length: count }, (_, descriptor) => {
      if (pipes.includes(descriptor) || descriptor === 1 || descriptor === 2) return "pipe" as const;
      return inherited.includes(descriptor) ? nothing : ("ignore" as const);
    });
    return await spawnChild(command, { cwd: "/", env: {}, stdio: stdio as StdioOptions });
  } finally {
    closeSync(nothing);
  }
}

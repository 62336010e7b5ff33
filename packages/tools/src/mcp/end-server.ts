import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { endProcessTree, releaseGroup } from "../cli/process-tree.js";

/**
 * Ends a server that leads its own group, and all that it started: first by the end of its input, as the protocol has it, then
 * by signals. Resolves when they are gone or have been killed.
 */
export async function endServer(leader: ChildProcess, graceMs: number): Promise<void> {
  const { pid } = leader;
  if (pid === undefined) return;
  leader.stdin?.end();
  if (leader.exitCode === null && leader.signalCode === null)
    await once(leader, "exit", { signal: AbortSignal.timeout(graceMs) }).catch(() => {});
  await endProcessTree(pid, graceMs);
  releaseGroup(pid);
}

import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

const live = new Set<number>();
let watching = false;

/** Makes sure that a group leader's group is ended when the host exits without closing its toolkits. */
export function guardProcessTree(leader: ChildProcess): void {
  const { pid } = leader;
  if (pid === undefined) return;
  live.add(pid);
  if (watching) return;
  watching = true;
  process.on("exit", () => {
    for (const leaderPid of live) signalGroup(leaderPid, "SIGKILL");
  });
}

/**
 * Ends a process that leads its own group, and all of the group: first by the end of its input, then SIGTERM, then SIGKILL.
 * Resolves when the leader is gone and the rest of its group is gone or killed.
 */
export async function endProcessTree(leader: ChildProcess, graceMs: number): Promise<void> {
  const { pid } = leader;
  if (pid === undefined) return;
  leader.stdin?.end();
  await waitUntil(() => exited(leader), graceMs);
  if (process.platform === "win32") {
    if (!exited(leader)) await taskkill(pid);
  } else {
    if (groupExists(pid)) {
      signalGroup(pid, "SIGTERM");
      await waitUntil(() => !groupExists(pid), graceMs);
    }
    if (groupExists(pid)) {
      signalGroup(pid, "SIGKILL");
      await waitUntil(() => exited(leader), graceMs);
    }
  }
  live.delete(pid);
}

function exited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Signal 0 asks whether the group has a member, a zombie that nobody has waited for included. */
function groupExists(pid: number): boolean {
  return signalGroup(pid, 0);
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

async function waitUntil(done: () => boolean, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  for (let stepMs = 2; !done() && performance.now() < end; stepMs = Math.min(stepMs * 2, 50)) await delay(stepMs);
}

function taskkill(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    killer.on("error", () => resolve());
    killer.on("close", () => resolve());
  });
}

import { setTimeout as delay } from "node:timers/promises";
import { listProcesses } from "./processes.js";

const stepMs = 5;
const patienceMs = 2000;

/**
 * Ends a process group at once, with the descendants that have left it, and waits until none of it runs any more.
 * Out of reach are those that left the group and whose parent has ended.
 */
export async function killGroup(leader: number): Promise<void> {
  for (const pid of descendantsOutside(leader)) signal(pid);
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += stepMs) {
    // Again each round: a process that forked while it was being killed left a child behind.
    if (!signalGroup(leader) || onlyZombies(leader)) return;
    await delay(stepMs);
  }
}

/** Whether the group has members. */
export function signalGroup(leader: number): boolean {
  return signal(-leader);
}

function signal(target: number): boolean {
  try {
    process.kill(target, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

function descendantsOutside(leader: number): number[] {
  const all = listProcesses() ?? [];
  const family = new Set([leader]);
  for (let before = 0; before < family.size; ) {
    before = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid, group }) => family.has(pid) && group !== leader).map(({ pid }) => pid);
}

/** A dead member stays in its group until its parent takes note, which in a bare container may be never. */
function onlyZombies(group: number): boolean {
  return listProcesses()?.every((process) => process.group !== group || process.zombie) ?? false;
}

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const stepMs = 5;
const patienceMs = 2000;

/** Ends a process group at once and waits until none of it runs any more. */
export async function killGroup(leader: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += stepMs) {
    // Again each round: a process that forked while it was being killed left a child behind.
    if (!signalGroup(leader) || onlyZombies(leader)) return;
    await delay(stepMs);
  }
}

/** Whether the group has members. */
export function signalGroup(leader: number): boolean {
  try {
    process.kill(-leader, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

/** A dead member stays in its group until its parent takes note, which in a bare container may be never. */
function onlyZombies(group: number): boolean {
  try {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      const fields = statusOf(name);
      if (fields !== undefined && Number(fields[2]) === group && fields[0] !== "Z" && fields[0] !== "X") return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** The fields after the program's name, which may itself hold spaces and parentheses: state, parent, group. */
function statusOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

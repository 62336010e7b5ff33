import { setTimeout as delay } from "node:timers/promises";

const stepMs = 5;
const patienceMs = 2000;

/** Ends a process group at once and waits until none of it is left, or until what is left can only be zombies. */
export async function killGroup(leader: number | undefined): Promise<void> {
  if (leader === undefined || !signal(leader)) return;
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += stepMs) {
    await delay(stepMs);
    // A process that forked while it was being killed is caught by the next round.
    if (!signal(leader)) return;
  }
}

function signal(leader: number): boolean {
  try {
    process.kill(-leader, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

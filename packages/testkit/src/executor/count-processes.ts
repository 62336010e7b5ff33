import { existsSync, readdirSync, statSync } from "node:fs";

/** Processes and threads of this user, as the system's own limit counts them; a guess where the system does not tell. */
export function countProcesses(): number {
  if (!existsSync("/proc")) return 1_000;
  let count = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (statSync(`/proc/${name}`).uid === process.getuid?.()) count += readdirSync(`/proc/${name}/task`).length;
    } catch {
      // Gone meanwhile.
    }
  }
  return count;
}

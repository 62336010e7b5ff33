import { readFileSync } from "node:fs";

/** How many processes this system has ended for want of memory; undefined where it does not say. */
export function oomKills(file = "/proc/vmstat"): number | undefined {
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync(file, "latin1"))?.[1];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}

import { readFileSync } from "node:fs";

/** CAP_SYS_ADMIN and CAP_SYS_RESOURCE: with either, the system does not count a user's processes. */
const exempting = (1n << 21n) | (1n << 24n);

/** Whether a limit on processes binds what this process starts. */
export function bindsProcesses(statusFile = "/proc/self/status"): boolean {
  if (process.getuid?.() === 0) return false;
  try {
    const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync(statusFile, "latin1"))?.[1];
    return held === undefined || (BigInt(`0x${held}`) & exempting) === 0n;
  } catch {
    return true;
  }
}

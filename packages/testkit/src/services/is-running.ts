import { readFileSync } from "node:fs";

/** Whether a process runs; one that is dead and not yet taken note of by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^ [ZX]/.test(status.slice(status.lastIndexOf(")") + 1));
  } catch {
    return process.platform !== "linux";
  }
}

import { execFileSync } from "node:child_process";

/** Whether a process runs; a dead one that nobody has taken note of does not. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)])
      .toString()
      .trim()
      .startsWith("Z");
  } catch {
    return false;
  }
}

import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Marks what a host has started, so that a later host can tell whether the earlier one still lives. */
export interface HostMark {
  /** The boot and the process namespace within which process ids mean the same. */
  machine: string;
  pid: number;
  /** When the process started: ids are given again. */
  started: string;
}

/** This process's mark. */
export function hostMark(): HostMark {
  return { machine: machine(), pid: process.pid, started: startOf(process.pid) ?? "0" };
}

/** Whether the marked process, of this machine, still runs. */
export function isHostAlive({ pid, started }: Pick<HostMark, "pid" | "started">): boolean {
  const now = startOf(pid);
  if (now !== undefined) return now === started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function machine(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}-${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`;
  } catch {
    return hostname();
  }
}

/** The process's start in ticks since the boot; undefined when it is gone or the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

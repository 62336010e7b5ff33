import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A control group that bounds the number of a kernel's processes and threads. */
export interface ProcessCgroup {
  /** A process that writes its own id here is in the group, and all that it starts. */
  entry: string;
  remove(): void;
}

let count = 0;

/**
 * Makes one; undefined where this user or this system has none to give. Needed for root alone, whom the limit of a user's
 * processes does not bind.
 */
export function openProcessCgroup(processes: number): ProcessCgroup | undefined {
  const parent = parents().find((folder) => existsSync(join(folder, "cgroup.procs")));
  if (parent === undefined) return undefined;
  if (count === 0) removeLeftovers(parent);
  const folder = join(parent, `artificer-${process.pid}-${++count}-${Date.now()}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, "pids.max"), String(processes));
  } catch {
    removeFolder(folder);
    return undefined;
  }
  return { entry: join(folder, "cgroup.procs"), remove: () => removeFolder(folder) };
}

/** This process's own group of either version, and the controllers' roots where it can't be seen. */
function parents(): string[] {
  const own = (controller: string) => groups().find((line) => line.split(":")[1]?.split(",").includes(controller));
  const path = (line: string | undefined) => line?.split(":").slice(2).join(":") ?? "/";
  return [
    join("/sys/fs/cgroup/pids", path(own("pids"))),
    "/sys/fs/cgroup/pids",
    ...(controllersOf("/sys/fs/cgroup").includes("pids") ? ["/sys/fs/cgroup"] : []),
  ];
}

function groups(): string[] {
  try {
    return readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
  } catch {
    return [];
  }
}

/** The controllers that groups under this one have, in version 2. */
function controllersOf(folder: string): string[] {
  try {
    return readFileSync(join(folder, "cgroup.subtree_control"), "utf8").trim().split(/\s+/);
  } catch {
    return [];
  }
}

/** Those of hosts that were killed. One that still has processes stays: it can't be removed. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^artificer-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || existsSync(join("/proc", pid))) continue;
    removeFolder(join(parent, name), 0);
  }
}

/** Goes only once its last process is gone: tried again for a while. */
function removeFolder(folder: string, attempts = 100): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EBUSY" || attempts === 0) return;
    // Holds the host up for a moment rather than leave the folder behind.
    setTimeout(() => removeFolder(folder, attempts - 1), 10);
  }
}

import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const pollMs = 20;

/**
 * Ends a program that leads its own process group, and all that came of it: SIGTERM, then SIGKILL after `graceMs` for whoever is
 * left, also for descendants that left the group. Resolves when they are gone or have been killed.
 */
export async function endProcessTree(pid: number, graceMs: number): Promise<void> {
  if (process.platform === "win32") return endWindowsTree(pid);
  const strays = await descendantsOutsideGroup(pid);
  signalGroup(pid, "SIGTERM");
  for (const stray of strays) signalProcess(stray.pid, "SIGTERM");
  const until = Date.now() + graceMs;
  while (Date.now() < until && (groupLives(pid) || strays.some(({ pid: stray }) => signalProcess(stray, 0)))) {
    await delay(pollMs);
  }
  // What was started meanwhile is looked for while the parents still live.
  const late = await descendantsOutsideGroup(pid);
  signalGroup(pid, "SIGKILL");
  for (const stray of await stillTheSame([...strays, ...late])) signalProcess(stray.pid, "SIGKILL");
}

/** Kills what is left of a group at once; for when its leader has ended or the host is leaving. */
export function killGroup(pid: number): void {
  if (process.platform !== "win32") signalGroup(pid, "SIGKILL");
}

const guarded = new Set<number>();

/** A host that leaves takes the group along: it has a session of its own and would live on. */
export function guardGroup(pid: number): void {
  if (guarded.size === 0) process.on("exit", killGuarded);
  guarded.add(pid);
}

/** For when the group is gone: its number may be somebody else's soon. */
export function releaseGroup(pid: number): void {
  guarded.delete(pid);
  if (guarded.size === 0) process.off("exit", killGuarded);
}

function killGuarded(): void {
  for (const pid of guarded) killGroup(pid);
}

function groupLives(pid: number): boolean {
  return signalProcess(-pid, 0);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  signalProcess(-pid, signal);
}

/** False when there is no such process, or none that we may signal. */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function endWindowsTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    killer.once("error", () => resolve());
    killer.once("close", () => resolve());
  });
}

interface ProcessFacts {
  pid: number;
  parent: number;
  group: number;
  /** Ticks since boot: tells a process from another that was given its number later. */
  started: string;
}

/** Descendants that started a group or session of their own. Only Linux tells; elsewhere the group has to do. */
async function descendantsOutsideGroup(root: number): Promise<ProcessFacts[]> {
  if (process.platform !== "linux") return [];
  const all = await readProcesses();
  const family = new Set([root]);
  // A process may be listed before its parent: repeat until nobody is added. Members of the group count as family too.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent, group } of all) if (family.has(parent) || group === root) family.add(pid);
  }
  return all.filter(({ pid, group }) => family.has(pid) && group !== root);
}

async function stillTheSame(known: readonly ProcessFacts[]): Promise<ProcessFacts[]> {
  if (known.length === 0) return [];
  const now = new Map((await readProcesses()).map((each) => [each.pid, each.started]));
  return known.filter(({ pid, started }) => now.get(pid) === started);
}

async function readProcesses(): Promise<ProcessFacts[]> {
  const names = await readdir("/proc").catch(() => []);
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readProcess));
  return found.filter((each) => each !== undefined);
}

async function readProcess(name: string): Promise<ProcessFacts | undefined> {
  const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
  // The command's name stands in parentheses and may hold anything, so that fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const started = fields[19];
  if (started === undefined) return undefined;
  return { pid: Number(name), parent: Number(fields[1]), group: Number(fields[2]), started };
}

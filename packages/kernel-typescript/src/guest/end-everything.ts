import { readdirSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { endProcess } from "./primordials.js";

const kill = process.kill.bind(process);
const { pid } = process;

/**
 * The end of a kernel whose host is gone: nothing that its cells have started outlives it. Children are stopped first, until
 * nothing new is found, so that none that is killed can have left children behind.
 */
export function endEverything(): void {
  // A thread's children are its host's to end, and its host is the process that it is part of.
  if (isMainThread) {
    const stopped = new Set<number>();
    for (let grown = true; grown; ) {
      const found = descendants().filter((each) => !stopped.has(each));
      for (const each of found) {
        stopped.add(each);
        send(each, "SIGSTOP");
      }
      grown = found.length > 0;
    }
    for (const each of stopped) send(each, "SIGKILL");
    // Its own group, where it leads one: those whose parents ended before.
    send(-pid, "SIGKILL");
  }
  endProcess();
}

/** Empty where the system has no /proc: there the group is all that is known. */
function descendants(): number[] {
  const children = new Map<number, number[]>();
  let names: string[] = [];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {}
  for (const name of names) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      // The program's name may hold spaces and parentheses.
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {}
  }
  const found: number[] = [];
  for (const waiting = [pid]; waiting.length > 0; ) {
    const below = children.get(waiting.pop()!) ?? [];
    found.push(...below);
    waiting.push(...below);
  }
  return found;
}

function send(to: number, signal: NodeJS.Signals): void {
  try {
    kill(to, signal);
  } catch {
    // It has ended, or there is no such group.
  }
}

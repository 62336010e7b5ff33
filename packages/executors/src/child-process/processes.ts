import { readdirSync, readFileSync } from "node:fs";

/** What the system tells of a process. */
export interface ProcessFacts {
  pid: number;
  parent: number;
  group: number;
  /** Dead, and only not yet taken note of by its parent. */
  zombie: boolean;
}

/** Every process, on systems that have /proc; undefined elsewhere. */
export function listProcesses(): ProcessFacts[] | undefined {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? factsOf(name) : []));
  } catch {
    return undefined;
  }
}

function factsOf(pid: string): ProcessFacts[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name may itself hold spaces and parentheses.
    const [state, parent, group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), zombie: state === "Z" || state === "X" }];
  } catch {
    return [];
  }
}

import { readFileSync } from "node:fs";

/** Whom a kernel runs as. */
export interface KernelUser {
  uid: number;
  gid: number;
}

const first = 20_000;
const count = 40_000;
/** CAP_KILL, CAP_SETGID, CAP_SETUID: to start a process as another, and to end it. */
const needed = (1n << 5n) | (1n << 6n) | (1n << 7n);

/**
 * Gives each kernel of a server a user of its own, so that neither another kernel nor the server's token is theirs to read.
 * That takes root with the rights to become another user; elsewhere there is nobody to give, and undefined is returned.
 */
export function kernelUsers(proc = "/proc/self"): (() => KernelUser) | undefined {
  if (process.getuid?.() !== 0 || !mayBecomeOthers(proc)) return undefined;
  let given = 0;
  return () => {
    const id = first + (given++ % count);
    return { uid: id, gid: id };
  };
}

function mayBecomeOthers(proc: string): boolean {
  try {
    const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync(`${proc}/status`, "latin1"))?.[1] ?? "0";
    return (BigInt(`0x${held}`) & needed) === needed && ["uid_map", "gid_map"].every((map) => hasAll(`${proc}/${map}`));
  } catch {
    return false;
  }
}

/** Whether a user namespace has the whole range: an id that it has not can't be taken on. */
function hasAll(map: string): boolean {
  return readFileSync(map, "latin1")
    .trim()
    .split("\n")
    .some((line) => {
      const [begin = 0, , length = 0] = line.trim().split(/\s+/).map(Number);
      return begin <= first && begin + length >= first + count;
    });
}

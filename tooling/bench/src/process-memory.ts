import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The memory of a process that is resident, in bytes: as Linux tells it, else as `ps` does. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => undefined);
  const kibibytes = status === undefined ? await askPs(pid) : Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]);
  if (Number.isFinite(kibibytes)) return kibibytes * 1024;
  throw new Error(`the memory of process ${pid} can't be told`);
}

async function askPs(pid: number): Promise<number> {
  return Number.parseInt((await run("ps", ["-o", "rss=", "-p", String(pid)])).stdout, 10);
}

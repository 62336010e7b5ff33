import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** A session's own working folder, made when it is first needed. */
export interface Staging {
  folder(): Promise<string>;
  /** Removes it with all that is in it. */
  remove(): Promise<void>;
}

const prefix = "artificer-staging-";
const abandonedMs = 7 * 86_400_000;

/**
 * Folders are made in `root` and name the process that made them, so that one left by a host that was killed is removed by
 * the next: at once when that process is known to be gone, after a week when it ran elsewhere.
 */
export function createStaging(root: string): Staging {
  let made: Promise<string> | undefined;

  async function make(): Promise<string> {
    await mkdir(root, { recursive: true });
    await sweepStaging(root);
    return mkdtemp(join(root, `${prefix}${place()}-${process.pid}-`));
  }

  return {
    folder: () => (made ??= make()),
    async remove() {
      const folder = await made?.catch(() => undefined);
      made = undefined;
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Removes what hosts that are gone have left in `root`; links are not followed, other folders not touched. */
export async function sweepStaging(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const path = join(root, name);
    const facts = await lstat(path).catch(() => undefined);
    if (facts?.isDirectory() !== true) continue;
    const [where, pid] = name.slice(prefix.length).split("-");
    const left = where === place() ? !isRunning(Number(pid)) : Date.now() - facts.mtimeMs > abandonedMs;
    // Two hosts may sweep at once, and what belongs to another user stays.
    if (left) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

let known: string | undefined;

/** Where process numbers mean what they mean here: this machine, since its start, in this process namespace. */
function place(): string {
  known ??= createHash("sha256")
    .update(`${hostname()}\0${attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"))}`)
    .update(attempt(() => readlinkSync("/proc/self/ns/pid")))
    .digest("hex")
    .slice(0, 8);
  return known;
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

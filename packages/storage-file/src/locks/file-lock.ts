import { link, lstat, readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ArtificerError } from "@artificer/protocol";
import { errnoOf, isAbsent } from "../files/is-absent.js";
import { lifeOf, parseFacts } from "./process-life.js";
import type { ProcessMark } from "./process-mark.js";

export interface LockPatience {
  /** Longest wait for a holder that lives, in milliseconds. */
  waitMs: number;
  /** How long a holder that can't be seen from here may give no sign of life, in milliseconds, by our own clock that never jumps. */
  staleMs: number;
  signal?: AbortSignal;
}

/** A lock that is held. */
export interface HeldLock {
  /** @throws ArtificerError `storage/locked` when it was taken from us while this process slept. */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the lock file at `path`, which is a hard link to our mark: made in one step, and naming its holder from the first moment.
 * A dead holder's lock is broken at once. Whether a holder is dead is asked of the system; only for one on another machine
 * does silence count, measured between two looks of ours, so that no clock but our own monotonic one is believed.
 *
 * @throws ArtificerError `storage/locked`
 */
export async function takeLock(path: string, mark: ProcessMark, patience: LockPatience): Promise<HeldLock> {
  const begun = performance.now();
  let seen: { sign: string; since: number } | undefined;
  for (let attempt = 0; ; attempt++) {
    patience.signal?.throwIfAborted();
    const ino = await claim(path, mark);
    if (ino !== undefined) return heldLock(path, ino);
    const holder = await readHolder(path);
    if (holder === undefined) continue;
    const life = holder.facts === undefined ? "unknown" : await lifeOf(holder.facts);
    if (seen?.sign !== holder.sign) seen = { sign: holder.sign, since: performance.now() };
    const silent = life === "unknown" && performance.now() - seen.since > patience.staleMs;
    if (life === "dead" || silent) {
      await breakLock(path, holder, mark, patience);
    } else if (performance.now() - begun > patience.waitMs) {
      throw locked(path, holder);
    } else {
      await delay(Math.min(1 + attempt, 15) * (0.5 + Math.random()), undefined, { signal: patience.signal }).catch(
        () => {},
      );
    }
  }
}

interface Holder {
  /** What identifies this holding: a later one by anybody has another. */
  name: string;
  /** Changes when the holder gives a sign of life. */
  sign: string;
  facts: ReturnType<typeof parseFacts>;
}

async function claim(path: string, mark: ProcessMark): Promise<bigint | undefined> {
  const ino = await mark.ensure();
  try {
    await link(mark.path, path);
    return ino;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return undefined;
    if (noHardLinks.has(errnoOf(error) ?? "")) return claimByCopy(path, mark);
    throw error;
  }
}

const noHardLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** For file systems without hard links. Until its text is written such a lock names nobody, and silence alone breaks it. */
async function claimByCopy(path: string, mark: ProcessMark): Promise<bigint | undefined> {
  try {
    await writeFile(path, await readFile(mark.path), { flag: "wx" });
    return (await lstat(path, { bigint: true })).ino;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return undefined;
    throw error;
  }
}

function heldLock(path: string, ino: bigint): HeldLock {
  const isOurs = async () => {
    try {
      return (await lstat(path, { bigint: true })).ino === ino;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  };
  return {
    async check() {
      if (await isOurs()) return;
      throw new ArtificerError(
        "storage/locked",
        "The lock was taken over by another process while this one stood still.",
        {
          details: { lock: path },
          hint: "Nothing was changed; do it again.",
        },
      );
    },
    async release() {
      if (await isOurs()) await rm(path, { force: true });
    },
  };
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const { ino, mtimeNs, size } = await lstat(path, { bigint: true });
    const facts = parseFacts(await readFile(path, "utf8"));
    return { name: facts?.id ?? `i${ino}`, sign: `${ino} ${mtimeNs} ${size} ${facts?.id ?? ""}`, facts };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/**
 * Removes a dead holder's lock. Two that find it dead at once must not remove the lock of whoever comes next, so the right
 * to remove it is itself a lock, named for that holder: its owner alone removes exactly that holding.
 */
async function breakLock(path: string, holder: Holder, mark: ProcessMark, patience: LockPatience): Promise<void> {
  const right = await takeLock(`${path}.${holder.name}`, mark, patience);
  try {
    const now = await readHolder(path);
    if (now?.name === holder.name && now.sign === holder.sign) await rm(path, { force: true });
  } finally {
    await right.release();
  }
}

function locked(path: string, holder: Holder): ArtificerError {
  const who = holder.facts === undefined ? "a process that can't be identified" : `process ${holder.facts.pid}`;
  return new ArtificerError(
    "storage/locked",
    `Another writer, ${who}, has held the lock ${basename(path)} for too long.`,
    {
      details: { lock: path, pid: holder.facts?.pid },
      hint: `Wait for it to finish, or end it if it hangs; delete ${path} only when no such process is left.`,
    },
  );
}

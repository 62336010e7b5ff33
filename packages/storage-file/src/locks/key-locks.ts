import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isAbsent } from "../files/is-absent.js";
import { type HeldLock, type LockPatience, takeLock } from "./file-lock.js";
import type { ProcessMark } from "./process-mark.js";

/** One writer a key at a time, over all processes. */
export interface KeyLocks {
  /** Runs while nobody else holds the key. `check` is to be called right before what can't be undone. */
  hold<T>(key: string, signal: AbortSignal | undefined, run: (check: () => Promise<void>) => Promise<T>): Promise<T>;
  /** Stops the signs of life. */
  stop(): void;
}

export function createKeyLocks(
  folder: string,
  mark: ProcessMark,
  patience: Pick<LockPatience, "waitMs" | "staleMs">,
): KeyLocks {
  // Within the process writers queue, so that the file is contended between processes only.
  const queues = new Map<string, Promise<unknown>>();
  let holding = 0;
  let heart: NodeJS.Timeout | undefined;

  const take = async (path: string, signal: AbortSignal | undefined): Promise<HeldLock> => {
    try {
      return await takeLock(path, mark, { ...patience, signal });
    } catch (error) {
      if (!isAbsent(error)) throw error;
      await mkdir(folder, { recursive: true });
      await mark.renew();
      return takeLock(path, mark, { ...patience, signal });
    }
  };
  const beat = () => {
    if (holding > 0) mark.beat().catch(() => {});
  };

  return {
    async hold(key, signal, run) {
      const path = join(folder, lockName(key));
      const before = queues.get(path);
      const turn = (async () => {
        await turnComes(before, signal);
        const lock = await take(path, signal);
        holding++;
        heart ??= setInterval(beat, patience.staleMs / 5).unref();
        try {
          return await run(lock.check);
        } finally {
          holding--;
          await lock.release();
        }
      })();
      // Who gave up waiting leaves the queue, but those behind still wait for all before.
      const behind = Promise.allSettled([before, turn]);
      queues.set(path, behind);
      void behind.then(() => {
        if (queues.get(path) === behind) queues.delete(path);
      });
      return turn;
    },
    stop() {
      clearInterval(heart);
    },
  };
}

/** Waits for those before us, or for the signal, whose reason it throws. */
async function turnComes(before: Promise<unknown> | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (before === undefined) return;
  let onAbort = () => {};
  const abort = new Promise<void>((resolve) => {
    onAbort = resolve;
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  await Promise.race([before, abort]);
  signal?.removeEventListener("abort", onAbort);
  signal?.throwIfAborted();
}

/** Keys that differ only in case share a lock: on some file systems they compete for one name. */
function lockName(key: string): string {
  return createHash("sha256").update(key.toLowerCase()).digest("hex").slice(0, 32);
}

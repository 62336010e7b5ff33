import type { Storage } from "@artificer/protocol";

/** Saves looking again at what has not changed. */
export interface ChangeGuard {
  /** Runs the look unless nothing under the prefix changed since the last one that went through. */
  ifChanged(look: () => Promise<void>, options?: { signal?: AbortSignal }): Promise<void>;
}

/** Where the storage tells of no changes, every look is taken. */
export function createChangeGuard({ watch }: Storage, prefix: string): ChangeGuard {
  let seen: string | undefined;
  return {
    async ifChanged(look, options) {
      // Before the look: what changes during it is looked at next time.
      const version = await watch?.version(prefix, options);
      if (version !== undefined && version === seen) return;
      seen = undefined;
      await look();
      seen = version;
    },
  };
}

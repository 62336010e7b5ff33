import { type ChangeFeed, changeScope, scopeMeets, storagePrefix } from "@artificer/protocol";

/** The feed, and how the stores tell it what they changed. */
export interface MemoryChanges {
  feed: ChangeFeed;
  changed(key: string): void;
}

/** Counts changes by the first segment of their keys: what shares it changes together, which costs a look at most. */
export function createMemoryChanges(ready: (signal: AbortSignal | undefined) => void): MemoryChanges {
  const counts = new Map<string, number>();
  const listeners = new Set<{ prefix: string; changed: () => void }>();
  return {
    changed(key) {
      const scope = changeScope(key);
      counts.set(scope, (counts.get(scope) ?? 0) + 1);
      // Never within the write itself.
      for (const listener of listeners) if (scopeMeets(scope, listener.prefix)) queueMicrotask(listener.changed);
    },
    feed: {
      async version(rawPrefix, options = {}) {
        ready(options.signal);
        const prefix = storagePrefix(rawPrefix);
        let sum = 0;
        for (const [scope, count] of counts) if (scopeMeets(scope, prefix)) sum += count;
        return String(sum);
      },
      async subscribe(rawPrefix, changed) {
        ready(undefined);
        const listener = { prefix: storagePrefix(rawPrefix), changed };
        listeners.add(listener);
        return { stop: async () => void listeners.delete(listener) };
      },
    },
  };
}

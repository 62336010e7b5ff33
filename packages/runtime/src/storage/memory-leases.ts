import { type LeaseStore, leaseTime, storageKey } from "@artificer/protocol";

interface Holding {
  token: number;
  /** By the process's own clock, which nobody sets; undefined when it was released. */
  until: number | undefined;
}

export interface MemoryLeases {
  store: LeaseStore;
  /** Of the last holding. */
  newestToken(key: string): number | undefined;
}

/** Leases within one process. What was held is kept, so that tokens go on growing. */
export function createMemoryLeases(ready: (signal: AbortSignal | undefined) => void): MemoryLeases {
  const holdings = new Map<string, Holding>();
  const held = (key: string, token: number) => {
    const holding = holdings.get(key);
    return holding?.token === token && (holding.until ?? 0) > performance.now() ? holding : undefined;
  };
  const store: LeaseStore = {
    async acquire(rawKey, options) {
      ready(options.signal);
      const key = storageKey(rawKey);
      const until = performance.now() + leaseTime(options);
      const last = holdings.get(key);
      if (last !== undefined && held(key, last.token) !== undefined) return undefined;
      const token = (last?.token ?? 0) + 1;
      holdings.set(key, { token, until });
      return { key, token };
    },
    async renew({ key, token }, options) {
      ready(options.signal);
      const ttlMs = leaseTime(options);
      const holding = held(storageKey(key), token);
      if (holding !== undefined) holding.until = performance.now() + ttlMs;
      return holding !== undefined;
    },
    async release({ key, token }, options = {}) {
      ready(options.signal);
      const holding = held(storageKey(key), token);
      if (holding !== undefined) holding.until = undefined;
      return holding !== undefined;
    },
  };
  return { store, newestToken: (key) => holdings.get(key)?.token };
}

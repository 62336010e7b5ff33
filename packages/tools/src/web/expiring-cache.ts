/** Remembers values for a while; of too many, the ones not asked for longest go. */
export interface ExpiringCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/** @param maxSize in the measure of `sizeOf` */
export function createExpiringCache<T>(options: {
  lifeMs: number;
  maxSize: number;
  sizeOf: (value: T) => number;
}): ExpiringCache<T> {
  const entries = new Map<string, { value: T; size: number; until: number }>();
  let total = 0;
  const remove = (key: string) => {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      if (entry.until > performance.now()) return entry.value;
      remove(key);
      return undefined;
    },
    set(key, value) {
      remove(key);
      const size = options.sizeOf(value);
      if (options.lifeMs === 0 || size > options.maxSize) return;
      entries.set(key, { value, size, until: performance.now() + options.lifeMs });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= options.maxSize) break;
        remove(oldest);
      }
    },
  };
}

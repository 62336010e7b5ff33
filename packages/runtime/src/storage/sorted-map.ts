import { compareKeys } from "@artificer/protocol";

/** A map whose keys can be had in byte order. */
export interface SortedMap<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): boolean;
  /** @returns the keys that begin with the prefix and come after `after`, in order: at most so many. */
  keys(range: { prefix: string; after: string | undefined; limit: number }): string[];
}

/** Changed keys, up to which each is put in or taken out at its place; more of them are sorted in together. */
const fewKeys = 16;

/** Writing sorts nothing; a listing first sorts in what was written since the last one, so that neither looks at all keys each time. */
export function createSortedMap<T>(): SortedMap<T> {
  const entries = new Map<string, T>();
  let sorted: string[] = [];
  const added = new Set<string>();
  // These still stand among the sorted.
  const deleted = new Set<string>();

  /** The place of the first key that does not come before this one. */
  function placeOf(key: string): number {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareKeys(sorted[middle] as string, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function settle(): void {
    if (deleted.size > fewKeys) sorted = sorted.filter((key) => !deleted.has(key));
    else for (const key of deleted) sorted.splice(placeOf(key), 1);
    deleted.clear();
    if (added.size > fewKeys) sorted = [...sorted, ...added].sort(compareKeys);
    else for (const key of added) sorted.splice(placeOf(key), 0, key);
    added.clear();
  }

  return {
    get: (key) => entries.get(key),
    set(key, value) {
      if (!entries.has(key) && !deleted.delete(key)) added.add(key);
      entries.set(key, value);
    },
    delete(key) {
      if (!entries.delete(key)) return false;
      if (!added.delete(key)) deleted.add(key);
      return true;
    },
    keys({ prefix, after, limit }) {
      settle();
      const found: string[] = [];
      let at = placeOf(prefix);
      if (after !== undefined && compareKeys(after, prefix) >= 0) {
        at = placeOf(after);
        if (sorted[at] === after) at++;
      }
      for (; found.length < limit && sorted[at]?.startsWith(prefix); at++) found.push(sorted[at] as string);
      return found;
    },
  };
}

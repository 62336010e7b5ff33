import { type ListOptions, type Page, pageLimit, storagePrefix } from "@artificer/protocol";
import type { SortedMap } from "./sorted-map.js";

/** The page of a map's entries that a listing asks for. The cursor is the last key of the page before. */
export function memoryPage<T, Item>(
  entries: SortedMap<T>,
  request: ListOptions & { prefix: string },
  show: (key: string, entry: T) => Item,
): Page<Item> {
  const limit = pageLimit(request);
  // One more tells whether there is another page.
  const keys = entries.keys({ prefix: storagePrefix(request.prefix), after: request.cursor, limit: limit + 1 });
  const shown = keys.slice(0, limit);
  const items = shown.map((key) => show(key, entries.get(key) as T));
  return keys.length > limit ? { items, cursor: shown.at(-1) } : { items };
}

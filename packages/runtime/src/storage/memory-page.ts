import { compareKeys, type ListOptions, type Page, pageLimit, storagePrefix } from "@artificer/protocol";

/** The page of a map's entries that a listing asks for. The cursor is the last key of the page before. */
export function memoryPage<T, Item>(
  entries: ReadonlyMap<string, T>,
  request: ListOptions & { prefix: string },
  show: (key: string, entry: T) => Item,
): Page<Item> {
  const limit = pageLimit(request);
  const prefix = storagePrefix(request.prefix);
  const { cursor } = request;
  const keys = [...entries.keys()]
    .filter((key) => key.startsWith(prefix) && (cursor === undefined || compareKeys(key, cursor) > 0))
    .sort(compareKeys);
  const items = keys.slice(0, limit).map((key) => show(key, entries.get(key) as T));
  return keys.length > limit ? { items, cursor: keys[limit - 1] } : { items };
}

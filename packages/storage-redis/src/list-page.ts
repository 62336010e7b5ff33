import { type ListOptions, type Page, pageLimit, storageKey, storagePrefix } from "@artificer/protocol";
import type { RedisBase } from "./connection.js";
import { listValues } from "./scripts/record-scripts.js";

/** Larger replies are asked for in parts: a script stops the server while it runs. */
const keysAtOnce = 1000;

/** The page of keys and values, of two keys of the server, that a listing asks for. The cursor is the last key of the page before. */
export async function listPage<Item>(
  { connection }: RedisBase,
  from: { values: string; keys: string; show(key: string, value: string): Item },
  request: ListOptions & { prefix: string },
): Promise<Page<Item>> {
  const limit = pageLimit(request);
  const prefix = storagePrefix(request.prefix);
  // Ill-formed text would be turned into other text on its way; and no key holds it.
  if (/\p{Surrogate}/u.test(prefix)) return { items: [] };
  let after = request.cursor === undefined ? undefined : storageKey(request.cursor);
  const found: Array<[string, string]> = [];
  while (found.length <= limit) {
    request.signal?.throwIfAborted();
    const least =
      after === undefined || Buffer.compare(Buffer.from(after), Buffer.from(prefix)) < 0 ? `[${prefix}` : `(${after}`;
    const count = Math.min(keysAtOnce, limit + 1 - found.length);
    const reply = await connection.script("read", listValues, [from.values, from.keys], [least, prefix, String(count)]);
    const [keys, values] = reply as [string[], (string | null)[]];
    for (const [index, key] of keys.entries()) {
      const value = values[index];
      if (value) found.push([key, value]);
    }
    if (keys.length < count) break;
    after = keys.at(-1);
  }
  const items = found.slice(0, limit).map(([key, value]) => from.show(key, value));
  return { items, ...(found.length > limit ? { cursor: found[limit - 1]?.[0] } : {}) };
}

import { type ListOptions, type Page, pageLimit, storageKey, storagePrefix } from "@artificer/protocol";
import { and, type Column, gt, gte, lt, type SQL, sql } from "drizzle-orm";

const unknownText = /[\p{Surrogate}\0]/u;

/** A listing's bounds, for statements that were put together beforehand. */
export interface KeyBounds {
  from: string;
  /** Undefined when all that follow are in it. */
  end: string | undefined;
  after: string | undefined;
  limit: number;
}

/** What a listing asks for, as values; undefined when no key can be in it. */
export function keyBounds(rawPrefix: string, options: ListOptions): KeyBounds | undefined {
  const limit = pageLimit(options);
  const from = storagePrefix(rawPrefix);
  const after = options.cursor === undefined ? undefined : storageKey(options.cursor);
  // The database would refuse such text; and no key holds it.
  if (unknownText.test(from)) return undefined;
  return { from, end: firstAfter(from), after, limit };
}

/** Makes a statement for each kind of bounds once: by which of them there are. */
export function onceForBounds<T>(make: (bounds: Pick<KeyBounds, "end" | "after">) => T): typeof make {
  const made = new Map<string, T>();
  return (bounds) => {
    const kind = `${bounds.end === undefined} ${bounds.after === undefined}`;
    const known = made.get(kind) ?? make(bounds);
    made.set(kind, known);
    return known;
  };
}

/** The condition of those bounds, with a place for each value that there is. */
export function inBounds(column: Column, bounds: Pick<KeyBounds, "end" | "after">): SQL | undefined {
  const place = (name: keyof KeyBounds) => sql.placeholder(name);
  return and(
    gte(column, place("from")),
    bounds.end === undefined ? undefined : lt(column, place("end")),
    bounds.after === undefined ? undefined : gt(column, place("after")),
  );
}

/** A page of rows of which one more than the limit was asked for. */
export function pageOf<Row extends { key: string }, Item>(
  rows: Row[],
  limit: number,
  show: (row: Row) => Item,
): Page<Item> {
  const items = rows.slice(0, limit);
  return { items: items.map(show), ...(rows.length > limit ? { cursor: items.at(-1)?.key } : {}) };
}

/** The first text in byte order that no longer begins with the prefix; undefined when all that follow do. */
function firstAfter(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // Surrogates are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}

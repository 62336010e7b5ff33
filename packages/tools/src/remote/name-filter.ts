import { z } from "zod";

/** Which of a server's tools become tools: names, `*` standing for anything. Without `include`, all. */
export const nameFilter = z.strictObject({
  include: z.array(z.string()).optional(),
  exclude: z.array(z.string()).default([]),
});
export type NameFilter = z.infer<typeof nameFilter>;

/** True when the filter lets the name through. */
export function passesFilter(name: string, filter: NameFilter | undefined): boolean {
  if (filter === undefined) return true;
  const included = filter.include === undefined || filter.include.some((pattern) => matches(name, pattern));
  return included && !filter.exclude.some((pattern) => matches(name, pattern));
}

function matches(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop()!;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}

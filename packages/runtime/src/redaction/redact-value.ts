import { Tuple, type Value } from "@artificer/protocol";

/** The value with every text in it redacted, keys too; the same object when nothing was. */
export function redactValue(value: Value, redact: (text: string) => string): Value {
  if (typeof value === "string") return redact(value);
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Uint8Array || value instanceof Date) return value;
  if (Array.isArray(value)) return redactItems(value, redact);
  if (value instanceof Set) {
    const items = [...value];
    const redacted = redactItems(items, redact);
    return redacted === items ? value : new Set(redacted);
  }
  if (value instanceof Map) {
    const entries = [...value].flat(1);
    const redacted = redactItems(entries, redact);
    return redacted === entries ? value : new Map(pairs(redacted));
  }
  const entries = Object.entries(value).flat(1) as Value[];
  const redacted = redactItems(entries, redact);
  return redacted === entries ? value : Object.fromEntries(pairs(redacted) as [string, Value][]);
}

function redactItems(items: Value[], redact: (text: string) => string): Value[] {
  let copy: Value[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    if (typeof item === "number") continue;
    const redacted = redactValue(item, redact);
    if (redacted === item) continue;
    copy ??= items instanceof Tuple ? (Tuple.from(items) as Value[]) : [...items];
    copy[index] = redacted;
  }
  return copy ?? items;
}

function pairs(flat: readonly Value[]): [Value, Value][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index]!, flat[2 * index + 1]!]);
}

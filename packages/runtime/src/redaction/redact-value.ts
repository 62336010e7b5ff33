import { createReference, FrozenSet, isNumberArray, isReference, Table, Tuple, type Value } from "@artificer/protocol";

/** The value with every text in it redacted, keys too; the same object when nothing was. */
export function redactValue(value: Value, redact: (text: string) => string): Value {
  if (typeof value === "string") return redact(value);
  if (value === null || typeof value !== "object") return value;
  if (ArrayBuffer.isView(value) || value instanceof Date || isNumberArray(value)) return value;
  if (isReference(value)) {
    const [head, tail] = [redact(value.head), redact(value.tail)];
    return head === value.head && tail === value.tail ? value : createReference({ ...value, head, tail });
  }
  if (Array.isArray(value)) return redactItems(value, redact);
  if (value instanceof Set) {
    const items = [...value];
    const redacted = redactItems(items, redact);
    if (redacted === items) return value;
    return value instanceof FrozenSet ? new FrozenSet(redacted) : new Set(redacted);
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
    copy ??= copyOf(items);
    copy[index] = redacted;
  }
  return copy ?? items;
}

function copyOf(items: Value[]): Value[] {
  if (items instanceof Tuple) return Tuple.from(items) as Value[];
  return items instanceof Table ? (Table.make(items.columns, items) as Value[]) : [...items];
}

function pairs(flat: readonly Value[]): [Value, Value][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index]!, flat[2 * index + 1]!]);
}

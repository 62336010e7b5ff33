/**
 * Arguments as tools know them: a map whose keys are all texts is an object. Cells have such maps from TypeScript; a schema
 * knows objects alone. The same value when there is none in it.
 */
export function plainArguments<T>(value: T): T {
  return plain(value) as T;
}

function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || value instanceof Date) return value;
  if (value instanceof Map) {
    const entries = Array.from(value, ([key, item]: [unknown, unknown]) => [key, plain(item)] as const);
    return entries.every(([key]) => typeof key === "string") ? Object.fromEntries(entries) : new Map(entries);
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === "object" && item !== null) value[index] = plain(item);
    }
    return value;
  }
  if (value instanceof Set) return value;
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== "object" || item === null) continue;
    const changed = plain(item);
    if (changed !== item)
      Object.defineProperty(value, key, { value: changed, enumerable: true, writable: true, configurable: true });
  }
  return value;
}

const maxDepth = 32;
const maxValues = 10_000;

/**
 * Every value of the arguments that a dotted path leads to; `*` stands for every item or member. A name with dots in it is found by its whole name too.
 */
export function argumentValues(args: unknown, path: string): unknown[] {
  const found: unknown[] = [];
  collect(args, path.split("."), found, 0);
  return found;
}

function collect(value: unknown, steps: readonly string[], found: unknown[], depth: number): void {
  if (found.length >= maxValues || depth > maxDepth) return;
  if (steps.length === 0) {
    found.push(value);
    return;
  }
  const [step, ...rest] = steps;
  if (step === "*") {
    for (const member of members(value)) collect(member, rest, found, depth + 1);
  }
  for (let taken = 1; taken <= steps.length; taken++) {
    const member = memberOf(value, steps.slice(0, taken).join("."));
    if (member !== undefined) collect(member, steps.slice(taken), found, depth + 1);
  }
}

function members(value: unknown): Iterable<unknown> {
  if (Array.isArray(value) || value instanceof Set) return value;
  if (value instanceof Map) return value.values();
  return isRecord(value) ? Object.values(value) : [];
}

function memberOf(value: unknown, name: string): unknown {
  if (value instanceof Map) return value.get(name);
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array) && !(value instanceof Date);
}

import type { NumberArray, Reference } from "./value.js";

/**
 * Marks the objects that the codec takes for more than data. No JSON, no tool's result and no cell's object can have it by
 * accident, whatever its members are called. A symbol of the registry, so that two copies of this package agree.
 */
export const codecMark: unique symbol = Symbol.for("artificer.codec") as never;

/** What `value` was made as: `array`, `reference`, or nothing but data. */
export function codecKind(value: object): unknown {
  return (value as { [codecMark]?: unknown })[codecMark];
}

/** Numbers with a shape, as the codec takes them. A plain object that looks the same crosses as data. */
export function createNumberArray({ dtype, shape, bytes }: Omit<NumberArray, "$type">): NumberArray {
  return marked("array", { $type: "array", dtype, shape: [...shape], bytes });
}

/** A reference, as the codec takes it. A plain object that looks the same crosses as data. */
export function createReference(facts: Omit<Reference, "$type">): Reference {
  return marked("reference", { $type: "reference", ...referenceFacts(facts) });
}

/** The members of a reference, and no others. */
export function referenceFacts(facts: Omit<Reference, "$type">): Omit<Reference, "$type"> {
  const { id, type, shape, bytes, head, tail, artifact } = facts;
  return {
    id,
    type,
    ...(shape === undefined ? {} : { shape: [...shape] }),
    bytes,
    head,
    tail,
    ...(artifact === undefined ? {} : { artifact }),
  };
}

export function isNumberArray(value: unknown): value is NumberArray {
  return typeof value === "object" && value !== null && codecKind(value) === "array";
}

export function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && codecKind(value) === "reference";
}

function marked<T extends object>(kind: string, object: T): T {
  return Object.defineProperty(object, codecMark, { value: kind, enumerable: false });
}

import { inspect } from "node:util";
import { type CellRunResult, Table } from "@artificer/protocol";
import { typeOf } from "./type-of.js";

type Described = NonNullable<CellRunResult["reference"]>;

const headChars = 600;
const tailChars = 300;
const deepest = 20;

/** What is told of a value too large to show: its type, shape and size, how it begins and how it ends. */
export function describeReference(value: unknown, id: string, bytes: number, maxChars: number): Described {
  const shape = shapeOf(value);
  const [head, tail] = ends(
    value,
    Math.min(headChars, Math.floor((maxChars * 2) / 3)),
    Math.min(tailChars, Math.floor(maxChars / 3)),
  );
  return { id, type: typeOf(value), ...(shape === undefined ? {} : { shape }), bytes, head, tail };
}

function shapeOf(value: unknown): number[] | undefined {
  if (typeof value === "string") return [value.length];
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Table && Array.isArray(value.columns)) return [value.length, value.columns.length];
  if (Array.isArray(value)) return [value.length];
  if (ArrayBuffer.isView(value)) {
    const { shape, length } = value as { shape?: unknown; length?: number };
    return Array.isArray(shape) ? [...(shape as number[])] : [length ?? value.byteLength];
  }
  if (value instanceof Map || value instanceof Set) return [value.size];
  return [Object.keys(value).length];
}

/** Head and tail of the value as written, writing out little more than that of it. The tail is empty when the head is all. */
function ends(value: unknown, maxHead: number, maxTail: number): [head: string, tail: string] {
  try {
    const head = [...pieces(value, maxHead, false, 0)].join("");
    if (head.length <= maxHead) return [head, ""];
    const tail = [...pieces(value, maxTail, true, 0)].reverse().join("");
    return [head.slice(0, maxHead), tail.slice(-maxTail)];
  } catch (error) {
    return [`<${typeOf(value)} whose inspection failed: ${String(error)}>`, ""];
  }
}

interface Opened {
  left: string;
  right: string;
  /** How many entries there are, and how the one at an index is written. */
  count: number;
  entry(index: number): (string | { value: unknown })[];
}

/** The value in pieces, forward or backward, until they hold more than `budget` characters. */
function* pieces(value: unknown, budget: number, backward: boolean, depth: number): Generator<string> {
  const opened = depth > deepest ? undefined : open(value);
  if (opened === undefined || opened.count === 0) {
    const text = written(value, budget, backward);
    yield backward ? text.slice(-budget - 1) : text.slice(0, budget + 1);
    return;
  }
  const { left, right, count, entry } = opened;
  let rest = budget;
  yield backward ? right : left;
  for (let step = 0; step < count; step++) {
    if (step > 0) {
      yield ", ";
      rest -= 2;
    }
    const parts = entry(backward ? count - 1 - step : step);
    for (const part of backward ? parts.reverse() : parts) {
      const inner = typeof part === "string" ? [part] : pieces(part.value, Math.max(rest, 0), backward, depth + 1);
      for (const text of inner) {
        rest -= text.length;
        yield text;
      }
    }
    if (rest < 0) return;
  }
  yield backward ? left : right;
}

function open(value: unknown): Opened | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return listed("[", "]", value);
  if (ArrayBuffer.isView(value) && "length" in value)
    return listed(`${typeOf(value)} [`, "]", value as unknown as ArrayLike<unknown>);
  if (value instanceof Set) return listed("Set {", "}", [...value]);
  if (value instanceof Map) {
    const entries = [...value];
    const entry = (index: number) => [{ value: entries[index]![0] }, " => ", { value: entries[index]![1] }];
    return { left: "Map {", right: "}", count: entries.length, entry };
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return undefined;
  const keys = Object.keys(value);
  const entry = (index: number) => {
    const key = keys[index]!;
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : inspect(key);
    return [`${name}: `, { value: (value as Record<string, unknown>)[key] }];
  };
  return { left: "{", right: "}", count: keys.length, entry };
}

function listed(left: string, right: string, items: ArrayLike<unknown>): Opened {
  return { left, right, count: items.length, entry: (index) => [{ value: items[index] }] };
}

/** A long text is cut before it is written out, not after. */
function written(value: unknown, budget: number, backward: boolean): string {
  const all = { depth: 2, maxStringLength: null, maxArrayLength: 50, breakLength: Number.POSITIVE_INFINITY } as const;
  if (typeof value !== "string" || value.length <= budget) return inspect(value, all);
  return inspect(backward ? value.slice(-budget - 1) : value.slice(0, budget + 1), all);
}

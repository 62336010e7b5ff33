import { ArtificerError } from "../errors/artificer-error.js";
import type { JsonValue } from "../json.js";
import { type NumberArray, type Reference, Tuple } from "./value.js";

/** A value split into the JSON that goes into a frame's header and the bytes that go beside it. */
export interface EncodedValue {
  json: JsonValue;
  parts: Uint8Array[];
}

const maxDepth = 200;

/**
 * Encodes by the closed codec. Plain JSON stands for itself; everything else is an object with the single key `$`
 * naming its kind, and an object that has a `$` key of its own is written as pairs, so no value can pose as another.
 * Undefined members of objects are left out, as JSON does; undefined elsewhere becomes null.
 *
 * @throws ArtificerError `value/not-encodable`, `value/cycle` or `value/too-deep`, with `details.path` such as `$.rows[3].at`.
 */
export function encodeValue(value: unknown, parts: Uint8Array[] = []): EncodedValue {
  return { json: encode(value, "$", 0, [], parts), parts };
}

function encode(value: unknown, path: string, depth: number, above: object[], parts: Uint8Array[]): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "undefined":
      return null;
    case "number":
      return encodeNumber(value);
    case "bigint":
      return { $: "int", v: value.toString() };
    case "object":
      if (value === null) return null;
      return encodeObject(value, path, depth, above, parts);
    default:
      throw notEncodable(path, typeof value);
  }
}

function encodeNumber(value: number): JsonValue {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return { $: "float", v: Object.is(value, -0) ? "-0" : Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf" };
}

function encodeObject(value: object, path: string, depth: number, above: object[], parts: Uint8Array[]): JsonValue {
  if (above.includes(value)) {
    throw new ArtificerError("value/cycle", `The value refers to itself at ${path}.`, { details: { path } });
  }
  if (depth >= maxDepth) {
    throw new ArtificerError("value/too-deep", `The value is nested more than ${maxDepth} deep at ${path}.`, {
      details: { path, maxDepth },
    });
  }
  above.push(value);
  const inner = (child: unknown, step: string) => encode(child, path + step, depth + 1, above, parts);
  try {
    if (Array.isArray(value)) {
      const items = Array.from(value, (item, index) => inner(item, `[${index}]`));
      return value instanceof Tuple ? { $: "tuple", v: items } : items;
    }
    if (value instanceof Uint8Array) return { $: "bytes", p: parts.push(value) - 1 };
    if (value instanceof Date) return encodeDate(value, path);
    if (value instanceof Set) return { $: "set", v: Array.from(value, (item, index) => inner(item, `{${index}}`)) };
    if (value instanceof Map) return encodePairs(value.entries(), inner);
    if (ArrayBuffer.isView(value)) return encodeView(value, path, parts);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype && !isForeignPlain(prototype)) {
      throw notEncodable(path, value.constructor?.name ?? "object");
    }
    return encodePlain(value as Record<string, unknown>, inner, parts);
  } finally {
    above.pop();
  }
}

/** A plain object of another realm (a vm context, a worker) has that realm's Object.prototype. */
function isForeignPlain(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "hasOwnProperty");
}

type Inner = (child: unknown, step: string) => JsonValue;

function encodePlain(value: Record<string, unknown>, inner: Inner, parts: Uint8Array[]): JsonValue {
  if (value.$type === "array" && value.bytes instanceof Uint8Array) {
    const array = value as unknown as NumberArray;
    return { $: "array", dtype: array.dtype, shape: [...array.shape], p: parts.push(array.bytes) - 1 };
  }
  if (value.$type === "reference" && typeof value.id === "string") {
    return { $: "reference", v: { ...(value as unknown as Reference) } as unknown as JsonValue };
  }
  if (Object.hasOwn(value, "$")) return encodePairs(Object.entries(value), inner);
  const result: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    // A plain assignment to __proto__ would set the prototype instead of a member.
    Object.defineProperty(result, key, {
      value: inner(child, `.${key}`),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
}

function encodePairs(entries: Iterable<[unknown, unknown]>, inner: Inner): JsonValue {
  const pairs: JsonValue[] = [];
  for (const [key, child] of entries) {
    pairs.push([inner(key, `<key ${pairs.length}>`), inner(child, `[${String(key)}]`)]);
  }
  return { $: "dict", v: pairs };
}

function encodeDate(value: Date, path: string): JsonValue {
  if (Number.isNaN(value.getTime())) throw notEncodable(path, "invalid Date");
  return { $: "datetime", v: value.toISOString() };
}

const dtypes: Record<string, string> = {
  Int8Array: "i1",
  Int16Array: "i2",
  Uint16Array: "u2",
  Int32Array: "i4",
  Uint32Array: "u4",
  BigInt64Array: "i8",
  BigUint64Array: "u8",
  Float32Array: "f4",
  Float64Array: "f8",
};

function encodeView(value: ArrayBufferView, path: string, parts: Uint8Array[]): JsonValue {
  const dtype = dtypes[value.constructor.name];
  if (dtype === undefined) throw notEncodable(path, value.constructor.name);
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const shape = [value.byteLength / Number(dtype.slice(1))];
  return { $: "array", dtype, shape, p: parts.push(bytes) - 1 };
}

function notEncodable(path: string, type: string): ArtificerError {
  return new ArtificerError("value/not-encodable", `A ${type} can't cross between host and kernel (at ${path}).`, {
    details: { path, type },
    hint: "Pass JSON values, bytes, dates, big integers, sets, maps or typed arrays.",
  });
}

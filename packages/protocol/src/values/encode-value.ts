import { ArtificerError } from "../errors/artificer-error.js";
import type { JsonValue } from "../json.js";
import { codecKind, referenceFacts } from "./codec-mark.js";
import { isoFromDate } from "./instants.js";
import { bytesOf, dtypeOf, shapeOf } from "./number-views.js";
import { isWhole, packColumn, Table } from "./table.js";
import { FrozenSet, type NumberArray, type Reference, Tuple } from "./value.js";

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
  if (Number.isFinite(value) && !Object.is(value, -0)) {
    // JSON would write it with digits that it does not have, and whoever reads whole numbers exactly would read another one.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return { $: "float", v: value.toExponential() };
    return value;
  }
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
    if (Array.isArray(value)) return encodeList(value, inner, parts);
    if (ArrayBuffer.isView(value)) return encodeView(value, path, parts);
    if (value instanceof Date) return encodeDate(value, path);
    if (value instanceof Set) return encodeSet(value, inner);
    if (value instanceof Map) return encodeMap(value, inner);
    const kind = codecKind(value);
    if (kind === "array") return encodeNumbers(value as NumberArray, parts);
    if (kind === "reference") return { $: "reference", v: referenceFacts(value as Reference) as unknown as JsonValue };
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype && !isForeignPlain(prototype)) {
      throw notEncodable(path, value.constructor?.name ?? "object");
    }
    return encodePlain(value as Record<string, unknown>, inner);
  } finally {
    above.pop();
  }
}

/** A plain object of another realm (a vm context, a worker) has that realm's Object.prototype. */
function isForeignPlain(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "hasOwnProperty");
}

type Inner = (child: unknown, step: string) => JsonValue;

function encodeList(value: readonly unknown[], inner: Inner, parts: Uint8Array[]): JsonValue {
  if (value instanceof Table && isWhole(value)) return encodeTable(value, inner, parts);
  const items = Array.from(value, (item, index) => inner(item, `[${index}]`));
  return value instanceof Tuple ? { $: "tuple", v: items } : items;
}

/** By columns: numbers as bytes, all else one by one. */
function encodeTable(table: Table, inner: Inner, parts: Uint8Array[]): JsonValue {
  const columns = table.columns.map(({ name, dtype }): JsonValue => {
    const values = Array.from(table, (row) => row[name]);
    const numbers = packColumn(dtype, values);
    if (numbers !== undefined) return { name, dtype, code: numbers.code, p: parts.push(numbers.bytes) - 1 };
    return { name, dtype, v: values.map((item, index) => inner(item, `[${index}].${name}`)) };
  });
  return { $: "table", rows: table.length, columns };
}

function encodeSet(value: ReadonlySet<unknown>, inner: Inner): JsonValue {
  const items = Array.from(value, (item, index) => inner(item, `{${index}}`));
  return { $: value instanceof FrozenSet ? "frozenset" : "set", v: items };
}

/** A map whose keys are all strings is told from an object, to come back as what it was. */
function encodeMap(value: ReadonlyMap<unknown, unknown>, inner: Inner): JsonValue {
  const pairs = encodePairs(value.entries(), inner);
  return { $: Array.from(value.keys()).every((key) => typeof key === "string") ? "map" : "dict", v: pairs };
}

function encodePlain(value: Record<string, unknown>, inner: Inner): JsonValue {
  if (Object.hasOwn(value, "$")) return { $: "dict", v: encodePairs(Object.entries(value), inner) };
  const result: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    const encoded = inner(child, `.${key}`);
    if (key !== "__proto__") result[key] = encoded;
    // A plain assignment would set the prototype instead of a member.
    else Object.defineProperty(result, key, { value: encoded, enumerable: true, writable: true, configurable: true });
  }
  return result;
}

function encodePairs(entries: Iterable<[unknown, unknown]>, inner: Inner): JsonValue[] {
  const pairs: JsonValue[] = [];
  for (const [key, child] of entries) {
    pairs.push([inner(key, `<key ${pairs.length}>`), inner(child, `[${String(key)}]`)]);
  }
  return pairs;
}

function encodeDate(value: Date, path: string): JsonValue {
  const iso = isoFromDate(value);
  if (iso === undefined) throw notEncodable(path, "invalid Date");
  return { $: "datetime", v: iso };
}

/** A Uint8Array is bytes, unless it says by its `shape` that it is numbers. */
function encodeView(value: ArrayBufferView, path: string, parts: Uint8Array[]): JsonValue {
  const dtype = dtypeOf(value);
  if (dtype === undefined) throw notEncodable(path, value.constructor?.name ?? "view");
  const bytes = bytesOf(value);
  const shape = shapeOf(value);
  if (dtype === "u1" && shape === undefined) return { $: "bytes", p: parts.push(bytes) - 1 };
  return {
    $: "array",
    dtype,
    shape: [...(shape ?? [value.byteLength / Number(dtype.slice(1))])],
    p: parts.push(bytes) - 1,
  };
}

function encodeNumbers({ dtype, shape, bytes }: NumberArray, parts: Uint8Array[]): JsonValue {
  return { $: "array", dtype, shape: [...shape], p: parts.push(bytes) - 1 };
}

function notEncodable(path: string, type: string): ArtificerError {
  return new ArtificerError("value/not-encodable", `A ${type} can't cross between host and kernel (at ${path}).`, {
    details: { path, type },
    hint: "Pass JSON values, bytes, dates, big integers, sets, maps or typed arrays.",
  });
}

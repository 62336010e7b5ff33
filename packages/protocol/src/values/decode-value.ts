import { ArtificerError } from "../errors/artificer-error.js";
import { type ArrayDtype, type NumberArray, type Reference, Tuple, type Value } from "./value.js";

const maxDepth = 400;

/**
 * Decodes what `encodeValue`, or a kernel, wrote. The input is not trusted.
 *
 * @throws ArtificerError `value/malformed` with `details.path`.
 */
export function decodeValue(json: unknown, parts: readonly Uint8Array[] = []): Value {
  return decode(json, parts, 0);
}

function decode(json: unknown, parts: readonly Uint8Array[], depth: number): Value {
  if (json === null || typeof json !== "object") {
    if (json === null || typeof json === "string" || typeof json === "number" || typeof json === "boolean") return json;
    throw malformed(`a ${typeof json}`);
  }
  if (depth > maxDepth) throw malformed("nesting too deep");
  if (Array.isArray(json)) {
    for (let index = 0; index < json.length; index++) {
      const item: unknown = json[index];
      if (item !== null && typeof item === "object") json[index] = decode(item, parts, depth + 1);
    }
    return json;
  }
  const object = json as Record<string, unknown>;
  if (Object.hasOwn(object, "$")) return decodeTagged(object, parts, depth + 1);
  for (const key of Object.keys(object)) {
    const child = object[key];
    if (child === null || typeof child !== "object") continue;
    // JSON.parse makes __proto__ an own member; assigning to it would set the prototype.
    const decoded = decode(child, parts, depth + 1);
    if (key === "__proto__")
      Object.defineProperty(object, key, { value: decoded, enumerable: true, writable: true, configurable: true });
    else object[key] = decoded;
  }
  return object as { [key: string]: Value };
}

function decodeTagged(object: Record<string, unknown>, parts: readonly Uint8Array[], depth: number): Value {
  const { v } = object;
  switch (object.$) {
    case "int":
      if (typeof v !== "string" || !/^-?\d{1,100000}$/.test(v)) throw malformed("an integer that is not one");
      return BigInt(v);
    case "float":
      return decodeFloat(v);
    case "bytes":
      return part(object.p, parts);
    case "datetime":
      return decodeDate(v);
    case "tuple":
      return Tuple.from(list(v), (item) => decode(item, parts, depth)) as Tuple;
    case "set":
      return new Set(list(v).map((item) => decode(item, parts, depth)));
    case "dict":
      return decodePairs(list(v), parts, depth);
    case "array":
      return decodeArray(object, parts);
    case "reference":
      return decodeReference(v);
    default:
      throw malformed(`the unknown kind ${JSON.stringify(object.$)}`);
  }
}

function decodePairs(pairs: unknown[], parts: readonly Uint8Array[], depth: number): Value {
  const entries = pairs.map((pair): [Value, Value] => {
    const [key, value] = list(pair);
    return [decode(key, parts, depth), decode(value, parts, depth)];
  });
  if (entries.every(([key]) => typeof key === "string")) {
    return Object.fromEntries(entries as [string, Value][]);
  }
  return new Map(entries);
}

function decodeFloat(v: unknown): number {
  switch (v) {
    case "nan":
      return Number.NaN;
    case "inf":
      return Number.POSITIVE_INFINITY;
    case "-inf":
      return Number.NEGATIVE_INFINITY;
    case "-0":
      return -0;
    default:
      throw malformed("a float that is not one");
  }
}

function decodeDate(v: unknown): Date {
  const date = new Date(typeof v === "string" ? v : Number.NaN);
  if (Number.isNaN(date.getTime())) throw malformed("a date that is not one");
  return date;
}

const itemBytes: Record<ArrayDtype, number> = { i1: 1, u1: 1, i2: 2, u2: 2, i4: 4, u4: 4, i8: 8, u8: 8, f4: 4, f8: 8 };

function decodeArray(object: Record<string, unknown>, parts: readonly Uint8Array[]): NumberArray {
  const bytes = part(object.p, parts);
  const shape = list(object.shape).map(Number);
  const width = itemBytes[object.dtype as ArrayDtype];
  const count = shape.reduce((product, size) => product * size, 1);
  if (width === undefined || count * width !== bytes.byteLength) throw malformed("an array whose shape does not fit");
  return { $type: "array", dtype: object.dtype as ArrayDtype, shape, bytes };
}

function decodeReference(v: unknown): Reference {
  if (typeof v !== "object" || v === null || typeof (v as Reference).id !== "string")
    throw malformed("a reference without id");
  return { ...(v as Reference), $type: "reference" };
}

function part(index: unknown, parts: readonly Uint8Array[]): Uint8Array {
  const bytes = typeof index === "number" ? parts[index] : undefined;
  if (bytes === undefined) throw malformed(`part ${String(index)} which is absent`);
  // Plain, even when the frame was cut from one of Node's buffers: a value is the same wherever it is decoded.
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw malformed("something else where a list belongs");
  return value;
}

function malformed(what: string): ArtificerError {
  return new ArtificerError("value/malformed", `A value on the wire holds ${what}.`);
}

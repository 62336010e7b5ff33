import { ArtificerError } from "../errors/artificer-error.js";
import { createNumberArray, createReference } from "./codec-mark.js";
import { dateFromIso } from "./instants.js";
import { Table, type TableRow, unpackColumn } from "./table.js";
import { type ArrayDtype, FrozenSet, type NumberArray, type Reference, Tuple, type Value } from "./value.js";

const maxDepth = 400;

/** What becomes of the kinds that are more than data. A kernel has forms of its own for them. */
export interface DecodedForms {
  array(array: Omit<NumberArray, "$type">): unknown;
  reference(facts: Omit<Reference, "$type">): unknown;
}

interface Source {
  parts: readonly Uint8Array[];
  forms: DecodedForms;
}

const hostForms: DecodedForms = { array: createNumberArray, reference: createReference };

/**
 * Decodes what `encodeValue`, or a kernel, wrote. The input is not trusted.
 *
 * @throws ArtificerError `value/malformed`.
 */
export function decodeValue(json: unknown, parts: readonly Uint8Array[] = [], forms: DecodedForms = hostForms): Value {
  return decode(json, { parts, forms }, 0);
}

function decode(json: unknown, source: Source, depth: number): Value {
  if (json === null || typeof json !== "object") {
    if (json === null || typeof json === "string" || typeof json === "number" || typeof json === "boolean") return json;
    throw malformed(`a ${typeof json}`);
  }
  if (depth > maxDepth) throw malformed("nesting too deep");
  if (Array.isArray(json)) {
    for (let index = 0; index < json.length; index++) {
      const item: unknown = json[index];
      if (item !== null && typeof item === "object") json[index] = decode(item, source, depth + 1);
    }
    return json;
  }
  const object = json as Record<string, unknown>;
  if (Object.hasOwn(object, "$")) return decodeTagged(object, source, depth + 1);
  for (const key of Object.keys(object)) {
    const child = object[key];
    if (child === null || typeof child !== "object") continue;
    // JSON.parse makes __proto__ an own member; assigning to it would set the prototype.
    const decoded = decode(child, source, depth + 1);
    if (key === "__proto__")
      Object.defineProperty(object, key, { value: decoded, enumerable: true, writable: true, configurable: true });
    else object[key] = decoded;
  }
  return object as { [key: string]: Value };
}

function decodeTagged(object: Record<string, unknown>, source: Source, depth: number): Value {
  const { v } = object;
  switch (object.$) {
    case "int":
      if (typeof v !== "string" || !/^-?\d{1,100000}$/.test(v)) throw malformed("an integer that is not one");
      return BigInt(v);
    case "float":
      return decodeFloat(v);
    case "bytes":
      return part(object.p, source);
    case "datetime":
      return decodeDate(v);
    case "tuple":
      return Tuple.from(list(v), (item) => decode(item, source, depth)) as Tuple;
    case "set":
      return new Set(list(v).map((item) => decode(item, source, depth)));
    case "frozenset":
      return new FrozenSet(list(v).map((item) => decode(item, source, depth)));
    case "dict":
      return decodeDict(list(v), source, depth);
    case "map":
      return new Map(decodePairs(list(v), source, depth));
    case "table":
      return decodeTable(object, source, depth);
    case "array":
      return decodeArray(object, source);
    case "reference":
      return decodeReference(v, source);
    default:
      throw malformed(`the unknown kind ${JSON.stringify(object.$)}`);
  }
}

function decodePairs(pairs: unknown[], source: Source, depth: number): [Value, Value][] {
  return pairs.map((pair): [Value, Value] => {
    const [key, value] = list(pair);
    return [decode(key, source, depth), decode(value, source, depth)];
  });
}

function decodeDict(pairs: unknown[], source: Source, depth: number): Value {
  const entries = decodePairs(pairs, source, depth);
  if (entries.every(([key]) => typeof key === "string")) {
    return Object.fromEntries(entries as [string, Value][]);
  }
  return new Map(entries);
}

function decodeTable({ rows, columns }: Record<string, unknown>, source: Source, depth: number): Table {
  if (!Number.isSafeInteger(rows) || (rows as number) < 0) throw malformed("a table without a number of rows");
  const decoded = list(columns).map((one) => {
    const { name, dtype, code, p, v } = (one ?? {}) as Record<string, unknown>;
    if (typeof name !== "string" || typeof dtype !== "string") throw malformed("a column without name or type");
    const values =
      code === undefined
        ? list(v).map((item) => decode(item, source, depth))
        : unpackColumn(code as ArrayDtype, sized(code, rows as number, part(p, source)));
    if (values.length !== rows) throw malformed("a column that is not as long as its table");
    return { name, dtype, values };
  });
  // A table of no columns can claim any number of rows.
  if (decoded.length === 0 && rows !== 0) throw malformed("a table of rows without columns");
  const records = Array.from(
    { length: rows as number },
    (_, row): TableRow => Object.fromEntries(decoded.map(({ name, values }) => [name, values[row]!])),
  );
  return Table.make(
    decoded.map(({ name, dtype }) => ({ name, dtype })),
    records,
  );
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
      if (typeof v === "string" && /^-?\d(\.\d+)?e\+\d{1,3}$/.test(v)) return Number(v);
      throw malformed("a float that is not one");
  }
}

function decodeDate(v: unknown): Date {
  const date = typeof v === "string" ? dateFromIso(v) : undefined;
  if (date === undefined) throw malformed("a date that is not one");
  return date;
}

const itemBytes: Record<ArrayDtype, number> = { i1: 1, u1: 1, i2: 2, u2: 2, i4: 4, u4: 4, i8: 8, u8: 8, f4: 4, f8: 8 };

function decodeArray(object: Record<string, unknown>, source: Source): Value {
  const shape = list(object.shape).map(Number);
  const count = shape.reduce((product, size) => product * size, 1);
  const bytes = sized(object.dtype, count, part(object.p, source));
  return source.forms.array({ dtype: object.dtype as ArrayDtype, shape, bytes }) as Value;
}

/** The bytes, when they are `count` elements of the type. */
function sized(dtype: unknown, count: number, bytes: Uint8Array): Uint8Array {
  const width = Object.hasOwn(itemBytes, String(dtype)) ? itemBytes[dtype as ArrayDtype] : undefined;
  if (width === undefined || count * width !== bytes.byteLength) throw malformed("an array whose shape does not fit");
  return bytes;
}

function decodeReference(v: unknown, { forms }: Source): Value {
  const { id, type, shape, bytes, head, tail, artifact } = (v ?? {}) as Record<string, unknown>;
  const texts = [id, type, head, tail, ...(artifact === undefined ? [] : [artifact])];
  if (!texts.every((text) => typeof text === "string") || typeof bytes !== "number")
    throw malformed("a reference without its facts");
  if (shape !== undefined && !list(shape).every(Number.isSafeInteger)) throw malformed("a reference of no shape");
  return forms.reference(v as Reference) as Value;
}

function part(index: unknown, { parts }: Source): Uint8Array {
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

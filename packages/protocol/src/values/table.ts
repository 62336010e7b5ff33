import { bytesOf, viewOf } from "./number-views.js";
import type { ArrayDtype, Value } from "./value.js";

/** One column of a table: its name, and the element type that its library gave it. */
export interface TableColumn {
  readonly name: string;
  /** As the library writes it: `int64`, `datetime64[ns, UTC]`, `category`. */
  readonly dtype: string;
}

/** A row: one member a column. */
export type TableRow = { readonly [column: string]: Value };

/** A table of Python's (a pandas DataFrame): an array of records that remembers its columns, so that it goes back as a table. */
export class Table extends Array<TableRow> {
  declare readonly columns: readonly TableColumn[];

  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  static make(columns: readonly TableColumn[], rows: readonly TableRow[]): Table {
    const table = Table.from(rows) as Table;
    return Object.defineProperty(table, "columns", { value: columns, enumerable: false });
  }
}

/** Element types whose values travel as bytes rather than one by one. */
const packed: Record<string, ArrayDtype> = {
  int8: "i1",
  uint8: "u1",
  int16: "i2",
  uint16: "u2",
  int32: "i4",
  uint32: "u4",
  int64: "i8",
  uint64: "u8",
  float32: "f4",
  float64: "f8",
};

/** True when every row still has exactly the table's columns: otherwise it is a list of records like any other. */
export function isWhole(table: Table): boolean {
  const names = table.columns?.map(({ name }) => name);
  if (names === undefined || new Set(names).size !== names.length) return false;
  for (const row of table) {
    if (typeof row !== "object" || row === null) return false;
    if (Object.keys(row).length !== names.length || !names.every((name) => Object.hasOwn(row, name))) return false;
  }
  return true;
}

/** A column's values as bytes, where its type is one of numbers and all of them fit it unchanged. */
export function packColumn(
  dtype: string,
  values: readonly unknown[],
): { code: ArrayDtype; bytes: Uint8Array } | undefined {
  const code = Object.hasOwn(packed, dtype) ? packed[dtype] : undefined;
  if (code === undefined) return undefined;
  const view = viewOf(code, new Uint8Array(values.length * Number(code.slice(1)))) as unknown as (number | bigint)[];
  const wide = code === "i8" || code === "u8";
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value !== "number" && typeof value !== "bigint") return undefined;
    if (wide) {
      if (typeof value === "number" && !Number.isSafeInteger(value)) return undefined;
      view[index] = BigInt(value);
      if (view[index] !== BigInt(value)) return undefined;
    } else {
      if (typeof value === "bigint") return undefined;
      view[index] = value;
      if (!Object.is(view[index], value)) return undefined;
    }
  }
  return { code, bytes: bytesOf(view as unknown as ArrayBufferView) };
}

/** The values of a packed column, big integers only where a number can't hold them. */
export function unpackColumn(code: ArrayDtype, bytes: Uint8Array): Value[] {
  const values = Array.from(viewOf(code, bytes) as unknown as ArrayLike<number | bigint>);
  return values.map((value) => {
    if (typeof value !== "bigint") return value;
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  });
}

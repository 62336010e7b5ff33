import { type ObjectKind, unboxed, viewType } from "./object-kinds.js";
import type { PieceNode, Slot } from "./piece.js";

/** How what is inside is written. */
export interface ContentWriter {
  slot(value: unknown): Slot;
  /** Counts towards the bound of a variable. @throws Unsavable beyond it. */
  spend(bytes: number): void;
}

/**
 * Writes what an object is made of besides its properties.
 *
 * @returns which of its properties are to be written; undefined for none.
 */
export function writeContent(
  node: PieceNode,
  value: object,
  kind: ObjectKind,
  writer: ContentWriter,
): ((key: string | symbol) => boolean) | undefined {
  let wanted: (key: string | symbol) => boolean = () => true;
  switch (kind) {
    case "array": {
      const array = value as unknown[];
      const dense = denseValues(array);
      node[1] = [array.length, dense?.map((item) => (item === hole ? { hole: true } : writer.slot(item)))];
      wanted = (key) => key !== "length" && (dense === undefined || typeof key === "symbol" || !isIndex(key));
      break;
    }
    case "map":
      node[1] = Array.from(mapEntries.call(value), (entry) => entry.map((one: unknown) => writer.slot(one)));
      break;
    case "set":
      node[1] = Array.from(setValues.call(value), (one) => writer.slot(one));
      break;
    case "date":
      node[1] = dateValue.call(value);
      break;
    case "regexp":
      node[1] = [(value as RegExp).source, (value as RegExp).flags];
      break;
    case "boxed":
      node[1] = writer.slot(unboxed(value));
      break;
    case "url":
      node[1] = (value as URL).href;
      // What it holds besides is made by itself.
      return undefined;
    case "buffer": {
      const buffer = value as ArrayBuffer & { resizable?: boolean; maxByteLength?: number };
      writer.spend(buffer.byteLength);
      node[1] = [new Uint8Array(buffer.slice(0)), buffer.resizable === true ? buffer.maxByteLength : undefined];
      break;
    }
    case "view":
      node[1] = viewContent(value as ArrayBufferView, writer);
      wanted = (key) => typeof key === "symbol" || !isIndex(key);
      break;
    case "error": {
      // Describing it may run the code that formats stacks, which is the kernel's.
      void (value as Error).stack;
      break;
    }
    case "object":
      break;
  }
  return kind === "view" && !hasNamed(value) ? undefined : wanted;
}

function viewContent(view: ArrayBufferView, writer: ContentWriter): unknown {
  const { buffer, byteOffset, byteLength } = view;
  const type = viewType(view);
  // Small Buffers share memory that has nothing to do with them.
  if (Buffer.isBuffer(view) && buffer.byteLength === Buffer.poolSize && byteLength < buffer.byteLength) {
    writer.spend(byteLength);
    return [type, new Uint8Array(view), undefined, undefined];
  }
  const size = type === "DataView" ? 1 : (view as Uint8Array).BYTES_PER_ELEMENT;
  return [type, writer.slot(buffer), byteOffset, byteLength / size];
}

const mapEntries = Map.prototype.entries as (this: unknown) => IterableIterator<[unknown, unknown]>;
const setValues = Set.prototype.values as (this: unknown) => IterableIterator<unknown>;
const dateValue = Date.prototype.getTime as (this: unknown) => number;
const hole = Symbol("hole");
/** Longer arrays are written by their properties: they may be all holes. */
const maxDense = 10_000_000;

/** Undefined for an array that has something else than plain data in its places. */
function denseValues(array: unknown[]): unknown[] | undefined {
  if (array.length > maxDense || (array.length > 1000 && !(array.length - 1 in array))) return undefined;
  const values: unknown[] = new Array(array.length);
  for (let index = 0; index < array.length; index++) {
    const own = Object.getOwnPropertyDescriptor(array, index);
    if (own === undefined) values[index] = hole;
    else if (own.get || own.set || !(own.writable && own.enumerable && own.configurable)) return undefined;
    else values[index] = own.value;
  }
  return values;
}

function isIndex(key: string): boolean {
  return /^(0|[1-9]\d*)$/.test(key);
}

/** Whether a typed array has properties besides its numbers; listing all keys of a large one would cost too much. */
function hasNamed(view: object): boolean {
  if ((view as Uint8Array).length > 100_000) return "shape" in view;
  return Reflect.ownKeys(view).some((key) => typeof key === "symbol" || !isIndex(key));
}

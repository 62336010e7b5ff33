import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { Unsavable } from "./unsavable.js";

/**
 * A reference to a node of the same piece: its index, in an array of one. Everything else in the place of a value is a primitive,
 * a `Described` property, or a hole.
 */
export type NodeRef = [index: number];
export type Slot = undefined | null | boolean | number | string | bigint | NodeRef | Hole;
export interface Hole {
  hole: true;
}
/** A property that is not plain data: its attributes (1 writable, 2 enumerable, 4 configurable), and its value or accessors. */
export interface Described {
  attributes: number;
  value?: Slot;
  get?: Slot;
  set?: Slot;
}

/** Keys and values in turn. Symbols as keys are nodes. */
export type Properties = (Slot | Described)[];

/** One object: what it is made of, its prototype (0: none, 1: that of its kind), how closed it is (0 to 3: open, not extensible, sealed, frozen), its properties. */
export type PieceNode = [
  kind: string,
  content: unknown,
  prototype: 0 | 1 | NodeRef,
  closed: number,
  properties: Properties,
];

/** What one group of variables is written as. */
export interface Piece {
  nodes: PieceNode[];
  /** `[name, value, whether it is a property of the global object]` */
  variables: [name: string, value: Slot, global: boolean][];
}

const format = "artificer-1";

/** @returns bytes and the hash that names them. */
export function writePiece(piece: unknown): { data: Uint8Array; tag: string } {
  const bytes = serialize([format, piece]);
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { data, tag: createHash("sha256").update(data).digest("hex") };
}

/** Reads what the host has verified. @throws Unsavable for bytes of another format. */
export function readPiece(data: Uint8Array): unknown {
  let read: unknown;
  try {
    read = deserialize(data);
  } catch (thrown) {
    throw new Unsavable(`it was written by another version of Node: ${String(thrown)}`);
  }
  if (Array.isArray(read) && read[0] === format) return read[1];
  throw new Unsavable("it was written by another version of the kernel");
}

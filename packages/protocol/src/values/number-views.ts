import type { ArrayDtype } from "./value.js";

/** A view of numbers, of whichever realm. */
type NumberView = ArrayBufferView & { readonly length: number };

const dtypes: Record<string, ArrayDtype> = {
  Int8Array: "i1",
  Uint8Array: "u1",
  Int16Array: "i2",
  Uint16Array: "u2",
  Int32Array: "i4",
  Uint32Array: "u4",
  BigInt64Array: "i8",
  BigUint64Array: "u8",
  Float32Array: "f4",
  Float64Array: "f8",
};

const views = {
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
  i8: BigInt64Array,
  u8: BigUint64Array,
  f4: Float32Array,
  f8: Float64Array,
} as const;

const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!.get!;

/** The codec's name for the elements of a view; undefined for views that it does not carry, such as a DataView. */
export function dtypeOf(view: ArrayBufferView): ArrayDtype | undefined {
  // Asked of the language itself: a subclass, or a class that is called the same, has any constructor it likes.
  return dtypes[tagOf.call(view) as string];
}

/** The bytes that a view looks at. */
export function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** A typed array over a copy of the bytes, which may lie anywhere in a frame. */
export function viewOf(dtype: ArrayDtype, bytes: Uint8Array): NumberView {
  return new views[dtype](bytes.slice().buffer);
}

/** The shape that a typed array carries in its own property `shape`, where that fits its length. */
export function shapeOf(view: ArrayBufferView): readonly number[] | undefined {
  const shape: unknown = Object.getOwnPropertyDescriptor(view, "shape")?.value;
  if (!Array.isArray(shape) || !shape.every((size) => Number.isSafeInteger(size) && size >= 0)) return undefined;
  return shape.reduce((product: number, size: number) => product * size, 1) === (view as NumberView).length
    ? (shape as number[])
    : undefined;
}

/** A Python tuple on the host: an array that remembers it was one, so that it goes back as a tuple. */
export class Tuple<T = Value> extends Array<T> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** A Python frozenset: a set that remembers it was one. */
export class FrozenSet<T = Value> extends Set<T> {}

/** The element types of a typed array on the wire, little endian. */
export type ArrayDtype = "i1" | "u1" | "i2" | "u2" | "i4" | "u4" | "i8" | "u8" | "f4" | "f8";

/** Numbers of one type with a shape: numpy's ndarray on one side, a typed array on the other. Made by `createNumberArray`. */
export interface NumberArray {
  readonly $type: "array";
  readonly dtype: ArrayDtype;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Stands for a value too large to show: what it is, how large, and how it begins and ends. Made by `createReference`. */
export interface Reference {
  readonly $type: "reference";
  /** How later cells name it. */
  readonly id: string;
  readonly type: string;
  readonly shape?: readonly number[];
  readonly bytes: number;
  readonly head: string;
  readonly tail: string;
  /** The artifact that keeps the whole of it. */
  readonly artifact?: string;
}

/**
 * What may cross between host and kernel. Nothing else does: no object of the host, no code.
 * `bigint` stands for integers beyond 2^53; `Map` for dictionaries whose keys are not all strings. A `Date` that has come from
 * Python with more than an instant in it (a zone, microseconds, no time at all) has the text it came as in its `iso`.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Date
  | NumberArray
  | Reference
  | ReadonlyArray<Value>
  | ReadonlySet<Value>
  | ReadonlyMap<Value, Value>
  | { readonly [key: string]: Value };

import { types } from "node:util";
import { Unsavable } from "./unsavable.js";

/** Kinds of objects by what they are inside, whatever prototype they have. */
export type ObjectKind =
  | "object"
  | "array"
  | "map"
  | "set"
  | "date"
  | "regexp"
  | "boxed"
  | "error"
  | "buffer"
  | "view"
  | "url";

const never: [test: (value: unknown) => boolean, what: string][] = [
  [types.isProxy, "a Proxy, whose target is out of reach"],
  [types.isPromise, "a promise, whose outcome can't be kept"],
  [types.isWeakMap, "a WeakMap, which can't be listed"],
  [types.isWeakSet, "a WeakSet, which can't be listed"],
  [types.isGeneratorObject, "a generator, which stands in the midst of its code"],
  [types.isMapIterator, "an iterator, which stands in the midst of its Map"],
  [types.isSetIterator, "an iterator, which stands in the midst of its Set"],
  [types.isSharedArrayBuffer, "a SharedArrayBuffer, which other threads may write to"],
  [types.isModuleNamespaceObject, "a module that was not imported by a cell"],
  [types.isExternal, "a native object"],
  [types.isCryptoKey, "a cryptographic key"],
  [types.isKeyObject, "a cryptographic key"],
  [types.isArgumentsObject, "the arguments object of a function"],
];

/** @throws Unsavable for what no kernel could make again. */
export function kindOf(value: object): ObjectKind {
  if (!types.isProxy(value)) {
    if (Array.isArray(value)) return "array";
    // By far the most, so they are spared the other questions.
    if (Object.getPrototypeOf(value) === Object.prototype && isPlain(value)) return "object";
  }
  for (const [test, what] of never) if (test(value)) throw new Unsavable(`it holds ${what}`);
  if (Array.isArray(value)) return "array";
  if (types.isMap(value)) return "map";
  if (types.isSet(value)) return "set";
  if (types.isDate(value)) return "date";
  if (types.isRegExp(value)) return "regexp";
  if (types.isBoxedPrimitive(value)) return "boxed";
  if (types.isNativeError(value)) return "error";
  if (types.isAnyArrayBuffer(value)) return "buffer";
  if (ArrayBuffer.isView(value)) return "view";
  if (value instanceof URL) return "url";
  return "object";
}

/** Not one of those that would be taken for plain because their prototype is. */
function isPlain(value: object): boolean {
  return !types.isArgumentsObject(value) && !types.isMap(value) && !types.isSet(value) && !types.isPromise(value);
}

export function isKey(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** 0 to 3: open, not extensible, sealed, frozen. */
export function closedness(value: object): number {
  if (Object.isExtensible(value)) return 0;
  if (Object.isFrozen(value)) return 3;
  return Object.isSealed(value) ? 2 : 1;
}

export function closeAs(value: object, closed: number): void {
  if (closed === 3) Object.freeze(value);
  else if (closed === 2) Object.seal(value);
  else if (closed === 1) Object.preventExtensions(value);
}

/** The type of a typed array or DataView, by what it is inside. */
export function viewType(view: ArrayBufferView): string {
  return types.isDataView(view) ? "DataView" : (typedName.call(view) as string);
}

const typedName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!
  .get as () => string;

/** The prototypes that objects of a kind have by themselves. */
export const kindPrototype: Record<Exclude<ObjectKind, "view" | "boxed">, object> = {
  object: Object.prototype,
  array: Array.prototype,
  map: Map.prototype,
  set: Set.prototype,
  date: Date.prototype,
  regexp: RegExp.prototype,
  error: Error.prototype,
  buffer: ArrayBuffer.prototype,
  url: URL.prototype,
};

/** The primitive in a boxed one, whatever its own `valueOf` says. */
export function unboxed(value: object): unknown {
  for (const Box of [Number, String, Boolean, BigInt, Symbol]) {
    try {
      return (Box.prototype.valueOf as (this: unknown) => unknown).call(value);
    } catch {
      // Another kind of box.
    }
  }
  return undefined;
}

import type { SourcePlace } from "./cell-texts.js";
import type { FunctionMaker } from "./function-maker.js";
import type { KnownPath, KnownValues } from "./known-values.js";
import { closeAs } from "./object-kinds.js";
import type { Described, Hole, NodeRef, Piece, PieceNode, Properties, Slot } from "./piece.js";
import { Unsavable } from "./unsavable.js";

/** What a function or class is made of again. */
export interface FunctionContent {
  source: string;
  place: SourcePlace | undefined;
  isClass: boolean;
  name: string;
  length: number;
  /** What cells have set on its `prototype`. */
  prototype: Properties;
}

export interface ReaderOptions {
  known: KnownValues;
  functions: FunctionMaker;
  /** The value of a variable of any piece, made now if it was not. @throws Unsavable when it can't be had. */
  variable(name: string): unknown;
  /** The code of a class is about to run: what it may use is to be there. */
  beforeClass(source: string): void;
}

const instances = { object: () => ({}), map: () => new Map(), set: () => new Set(), error: () => bareError() };

/** Makes the values of a piece. Nothing of the user's runs but the source of its functions and classes. */
export class GraphReader {
  readonly #piece: Piece;
  readonly #options: ReaderOptions;
  readonly #made: unknown[] = [];
  readonly #states: ("making" | "made" | undefined)[] = [];
  readonly #filled: boolean[] = [];

  constructor(piece: Piece, options: ReaderOptions) {
    this.#piece = piece;
    this.#options = options;
  }

  /** Makes what needs no class and no other piece. */
  begin(): void {
    const { nodes } = this.#piece;
    const late = nodes.map(([kind, content]) => lateKinds.has(kind) || isClass(kind, content));
    for (let index = 0; index < nodes.length; index++)
      if (!late[index] && nodes[index]![0] !== "bound") this.#make(index);
    const some = late.includes(true) || nodes.some(([kind]) => kind === "bound");
    for (let index = 0; index < nodes.length; index++) {
      if (late[index] || this.#states[index] !== "made" || (some && refers(nodes[index], late))) continue;
      this.#fill(index);
    }
  }

  /** The value of a variable of this piece, which may be filled later. */
  root(name: string): unknown {
    return this.#value(this.#piece.variables.find(([own]) => own === name)?.[1]);
  }

  /** The variables whose values are there already. */
  ready(): [name: string, value: unknown][] {
    return this.#piece.variables
      .filter(([, slot]) => !Array.isArray(slot) || this.#states[slot[0]] === "made")
      .map(([name, slot]) => [name, this.#value(slot)]);
  }

  /** Makes the rest, classes among it. @throws what a class throws. */
  make(): void {
    for (let index = 0; index < this.#piece.nodes.length; index++) this.#make(index);
  }

  /** Puts everything into its place. */
  finish(): Map<string, unknown> {
    const { nodes, variables } = this.#piece;
    for (let index = 0; index < nodes.length; index++) if (!this.#filled[index]) this.#fill(index);
    // When everything is there: nothing could be added to what is closed.
    for (const [index, [, , , closed]] of nodes.entries()) closeAs(this.#made[index] as object, closed);
    return new Map(variables.map(([name, slot]) => [name, this.#value(slot)]));
  }

  #value(slot: Slot): unknown {
    if (!Array.isArray(slot)) return slot;
    return this.#make(slot[0]);
  }

  #make(index: number): unknown {
    if (this.#states[index] === "made") return this.#made[index];
    if (this.#states[index] === "making") throw new Unsavable("it can't be made before itself");
    this.#states[index] = "making";
    try {
      this.#made[index] = this.#create(this.#piece.nodes[index]!);
    } catch (thrown) {
      this.#states[index] = undefined;
      throw thrown;
    }
    this.#states[index] = "made";
    return this.#made[index];
  }

  #create([kind, content]: PieceNode): unknown {
    switch (kind) {
      case "known":
        return this.#options.known.at(content as KnownPath);
      case "variable":
        return this.#options.variable(content as string);
      case "symbol": {
        const [where, text] = content as [string, string | undefined];
        if (where === "for") return Symbol.for(text!);
        return where === "known" ? (Symbol as unknown as Record<string, unknown>)[text!] : Symbol(text);
      }
      case "member": {
        const [of, part, key, what] = content as [Slot, string, Slot, "value"];
        const made = this.#value(of) as { prototype: object };
        const holder = part === "static" ? made : made.prototype;
        return Object.getOwnPropertyDescriptor(holder, this.#value(key) as string)?.[what] as unknown;
      }
      case "prototype":
        return (this.#value(content as Slot) as { prototype: unknown }).prototype;
      case "function":
        if (isClass(kind, content)) this.#options.beforeClass((content as FunctionContent).source);
        return this.#options.functions.make(content as FunctionContent);
      case "bound": {
        const [target, self, args] = content as [Slot, Slot, Slot];
        const list = this.#listed(args);
        return Function.prototype.bind.call(this.#value(target) as () => unknown, this.#value(self), ...list);
      }
      case "array":
        return new Array((content as [number])[0]);
      case "date":
        return new Date(content as number);
      case "regexp": {
        const [source, flags] = content as [string, string];
        return new RegExp(source, flags);
      }
      case "boxed":
        return Object(this.#value(content as Slot));
      case "url":
        return new URL(content as string);
      case "buffer": {
        const [bytes, maxByteLength] = content as [Uint8Array, number | undefined];
        const Buffers = ArrayBuffer as new (length: number, options?: object) => ArrayBuffer;
        const buffer =
          maxByteLength === undefined ? new Buffers(bytes.length) : new Buffers(bytes.length, { maxByteLength });
        new Uint8Array(buffer).set(bytes);
        return buffer;
      }
      case "view":
        return this.#view(content as [string, Slot | Uint8Array, number, number]);
      case "object":
      case "map":
      case "set":
      case "error":
        return instances[kind]();
      default:
        throw new Unsavable(`it holds a ${kind}, which this kernel does not know`);
    }
  }

  /** The arguments of a bound function, which are needed before anything is filled. */
  #listed(slot: Slot): unknown[] {
    const content = this.#piece.nodes[(slot as NodeRef)[0]]?.[1] as [number, Slot[]];
    return (content[1] ?? []).map((item) => (isHole(item) ? undefined : this.#value(item)));
  }

  #view([type, memory, offset, length]: [string, Slot | Uint8Array, number, number]): unknown {
    const View = (globalThis as unknown as Record<string, new (...args: unknown[]) => unknown>)[type]!;
    if (memory instanceof Uint8Array) return Uint8Array.from(memory);
    return new View(this.#value(memory as Slot), offset, length);
  }

  #fill(index: number): void {
    this.#filled[index] = true;
    const [kind, content, prototype, , properties] = this.#piece.nodes[index]!;
    const made = this.#made[index];
    if (kind === "array") {
      const values = (content as [number, Slot[] | undefined])[1];
      const array = made as unknown[];
      values?.forEach((slot, at) => {
        if (!isHole(slot)) define(array, at, this.#value(slot));
      });
    } else if (kind === "map") {
      for (const [key, value] of content as [Slot, Slot][]) mapSet.call(made, this.#value(key), this.#value(value));
    } else if (kind === "set") {
      for (const value of content as Slot[]) setAdd.call(made, this.#value(value));
    } else if (kind === "function") {
      const { prototype: own } = content as FunctionContent;
      if (own.length > 0) this.#define((made as { prototype: object }).prototype, own);
    }
    this.#define(made as object, properties);
    if (prototype !== 1) {
      const value = prototype === 0 ? null : (this.#value(prototype) as object | null);
      Object.setPrototypeOf(made, value);
    }
  }

  #define(object: object, properties: Properties): void {
    for (let index = 0; index < properties.length; index += 2) {
      const key = this.#value(properties[index] as Slot) as string;
      const slot = properties[index + 1] as Slot | Described;
      if (typeof slot !== "object" || slot === null || Array.isArray(slot)) {
        define(object, key, this.#value(slot as Slot));
        continue;
      }
      const { attributes, ...parts } = slot as Described;
      const described: PropertyDescriptor = {
        enumerable: (attributes & 2) !== 0,
        configurable: (attributes & 4) !== 0,
      };
      if ("get" in parts || "set" in parts) {
        described.get = this.#value(parts.get) as () => unknown;
        described.set = this.#value(parts.set) as (value: unknown) => void;
      } else {
        described.value = this.#value(parts.value);
        described.writable = (attributes & 1) !== 0;
      }
      Object.defineProperty(object, key, described);
    }
  }
}

const mapSet = Map.prototype.set as (this: unknown, key: unknown, value: unknown) => unknown;
const setAdd = Set.prototype.add as (this: unknown, value: unknown) => unknown;

function define(object: object, key: string | number, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function isHole(slot: Slot): slot is Hole {
  return typeof slot === "object" && slot !== null && !Array.isArray(slot);
}

/** An error as the engine knows errors, with nothing in it yet. */
function bareError(): Error {
  const error = new Error();
  for (const key of Reflect.ownKeys(error)) Reflect.deleteProperty(error, key);
  return error;
}

/** What stands for something that another piece, or a class of this one, must make first. */
const lateKinds = new Set(["prototype", "member", "variable"]);

function isClass(kind: string, content: unknown): boolean {
  return kind === "function" && (content as FunctionContent).isClass;
}

/** Whether something in there may be a reference to one of these nodes. */
function refers(part: unknown, late: readonly boolean[]): boolean {
  if (typeof part !== "object" || part === null || ArrayBuffer.isView(part)) return false;
  if (Array.isArray(part) && part.length === 1 && typeof part[0] === "number") return late[part[0]] === true;
  return Object.values(part).some((inner) => refers(inner, late));
}

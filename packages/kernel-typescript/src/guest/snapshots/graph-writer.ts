import { isBuiltin } from "node:module";
import type { KnownValues } from "./known-values.js";
import { closedness, isKey, kindOf, kindPrototype, type ObjectKind, unboxed, viewType } from "./object-kinds.js";
import type { Described, NodeRef, PieceNode, Properties, Slot } from "./piece.js";
import { Unsavable } from "./unsavable.js";
import { isClassText, makerOf, type UserFunctions } from "./user-functions.js";
import { writeContent } from "./write-content.js";

/** A variable that was walked. */
export interface WalkedVariable {
  name: string;
  value: Slot;
  /** Variables that it refers to by name. */
  needs: Set<string>;
  /** Nodes that stand in its piece. */
  nodes: { node: PieceNode; ref: NodeRef }[];
  /** Variables that it shares objects with. */
  sharing: Set<string>;
  bytes: number;
}

export interface WriterOptions {
  known: KnownValues;
  functions: UserFunctions;
  maxBytes: number;
  /** Called now and then. @throws Unsavable to give up. */
  check(): void;
}

const checkEvery = 1024;
const wellKnown = new Map(
  Object.getOwnPropertyNames(Symbol)
    .map((name) => [(Symbol as unknown as Record<string, unknown>)[name], name] as const)
    .filter(([value]) => typeof value === "symbol"),
);

/** Turns values into nodes. No code of the user's runs: properties are read as they are described, and proxies are refused. */
export class GraphWriter {
  readonly #options: WriterOptions;
  /** Which variable an object was first found in. */
  readonly #owners = new Map<unknown, { owner: string; ref: NodeRef }>();
  #current: WalkedVariable | undefined;
  #local = new Map<unknown, NodeRef>();
  #added: unknown[] = [];
  #pending: (() => void)[] = [];
  #steps = 0;
  #bytes = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** @throws Unsavable; what was walked of it is then forgotten. */
  walk(name: string, value: unknown): WalkedVariable {
    const variable: WalkedVariable = {
      name,
      value: undefined,
      needs: new Set(),
      nodes: [],
      sharing: new Set(),
      bytes: 0,
    };
    this.#current = variable;
    this.#local = new Map();
    this.#added = [];
    this.#pending = [];
    this.#bytes = 0;
    try {
      variable.value = this.#slot(value, name);
      for (let fill = this.#pending.pop(); fill !== undefined; fill = this.#pending.pop()) fill();
      variable.bytes = this.#bytes;
      return variable;
    } catch (thrown) {
      this.forget();
      throw thrown;
    }
  }

  /** Forgets the variable that was walked last. */
  forget(): void {
    for (const one of this.#added) this.#owners.delete(one);
    this.#added = [];
  }

  /** `root`: the name of the variable whose own value this is. */
  #slot(value: unknown, root?: string): Slot {
    if (++this.#steps % checkEvery === 0) this.#options.check();
    switch (typeof value) {
      case "symbol":
        return this.#symbol(value);
      case "object":
      case "function":
        return value === null ? null : this.#reference(value, root);
      case "string":
        this.#spend(value.length);
        return value;
      default:
        this.#spend(8);
        return value as Slot;
    }
  }

  #spend(bytes: number): void {
    this.#bytes += bytes;
    const { maxBytes } = this.#options;
    if (this.#bytes > maxBytes) throw new Unsavable(`it takes more than the ${maxBytes} bytes that a variable may`);
  }

  #symbol(value: symbol): NodeRef {
    const registered = Symbol.keyFor(value);
    if (registered !== undefined) return this.#place(value, ["symbol", ["for", registered], 1, 0, []]);
    const name = wellKnown.get(value);
    if (name !== undefined) return this.#place(value, ["symbol", ["known", name], 1, 0, []]);
    return this.#shared(value, (node) => {
      node[0] = "symbol";
      node[1] = ["own", value.description];
    });
  }

  #reference(value: object, root: string | undefined): NodeRef {
    const { known, functions } = this.#options;
    const path = known.path(value);
    if (path !== undefined) return this.#place(value, ["known", path, 1, 0, []]);
    const name = functions.names.get(value);
    if (name !== undefined && name !== root) {
      this.#current!.needs.add(name);
      return this.#place(value, ["variable", name, 1, 0, []]);
    }
    const member = functions.members.get(value);
    if (member !== undefined && typeof value === "function") {
      const node: PieceNode = ["member", undefined, 1, 0, []];
      const ref = this.#place(value, node);
      const [part, key, what] = member.path;
      node[1] = [this.#slot(member.of), part, this.#slot(key), what];
      return ref;
    }
    if (typeof value === "function") return this.#shared(value, (node) => this.#function(node, value));
    // A prototype goes with its function.
    const maker = makerOf(value);
    if (maker !== undefined) {
      const node: PieceNode = ["prototype", undefined, 1, 0, []];
      const ref = this.#place(value, node);
      node[1] = this.#slot(maker);
      return ref;
    }
    return this.#shared(value, (node) => this.#object(node, value, kindOf(value)));
  }

  /** A node that every piece has for itself: it stands for something that is found, not made. */
  #place(value: unknown, node: PieceNode): NodeRef {
    const found = this.#local.get(value);
    if (found !== undefined) return found;
    const ref: NodeRef = [0];
    this.#local.set(value, ref);
    this.#current!.nodes.push({ node, ref });
    return ref;
  }

  /** A node that is made: variables that refer to it go into one piece. */
  #shared(value: unknown, make: (node: PieceNode) => void): NodeRef {
    const current = this.#current!;
    const found = this.#owners.get(value);
    if (found !== undefined) {
      if (found.owner !== current.name) current.sharing.add(found.owner);
      return found.ref;
    }
    const ref: NodeRef = [0];
    this.#owners.set(value, { owner: current.name, ref });
    this.#added.push(value);
    this.#spend(16);
    const node: PieceNode = ["", undefined, 1, 0, []];
    current.nodes.push({ node, ref });
    make(node);
    return ref;
  }

  #function(node: PieceNode, value: object): void {
    const { functions } = this.#options;
    const facts = functions.facts(value);
    node[0] = "function";
    node[3] = closedness(value);
    if (facts.kind === "bound") {
      node[0] = "bound";
      node[1] = [this.#slot(facts.target), this.#slot(facts.self), this.#slot(facts.args)];
    } else {
      const { source, place, isClass, name, length } = facts;
      this.#spend(source.length);
      if (isClass) functions.register(value);
      const prototype = Object.getOwnPropertyDescriptor(value, "prototype")?.value as unknown;
      const own: Properties = [];
      if (isKey(prototype))
        this.#pending.push(() => own.push(...this.#properties(prototype, this.#unlessOf(value, "prototype"))));
      node[1] = { source, place, isClass, name, length, prototype: own };
    }
    this.#pending.push(() => {
      node[4] = this.#properties(value, this.#unlessOf(value, "static"));
    });
  }

  /** Leaves out what the function's own source brings. */
  #unlessOf(made: object, part: "static" | "prototype"): (key: string | symbol, own: PropertyDescriptor) => boolean {
    const { members } = this.#options.functions;
    const isClass = isClassText(Function.prototype.toString.call(made));
    const plain = part === "static" ? ["length", "name", "prototype", "arguments", "caller"] : ["constructor"];
    return (key, own) => {
      if (plain.includes(key as string) && (key !== "name" || typeof own.value === "string")) return false;
      const functions = [own.value, own.get, own.set].filter((one) => typeof one === "function") as object[];
      return !(isClass && functions.length > 0 && functions.every((one) => members.get(one)?.of === made));
    };
  }

  #object(node: PieceNode, value: object, kind: ObjectKind): void {
    node[0] = kind;
    node[3] = closedness(value);
    const prototype = Object.getPrototypeOf(value) as object | null;
    this.#pending.push(() => {
      node[2] = this.#prototype(value, kind, prototype);
      this.#fill(node, value, kind);
    });
  }

  #prototype(value: object, kind: ObjectKind, prototype: object | null): 0 | 1 | NodeRef {
    if (prototype === null) return 0;
    const usual =
      kind === "view"
        ? dataOfGlobal(viewType(value as ArrayBufferView))
        : kind === "boxed"
          ? (Object.getPrototypeOf(Object(unboxed(value))) as object)
          : kindPrototype[kind];
    if (prototype === usual) return 1;
    const { known, functions } = this.#options;
    const path = known.path(prototype);
    const builtIn = path !== undefined && (path[0] === "global" || (path[0] === "import" && isBuiltin(path[1])));
    if (builtIn && kind === "object") {
      throw new Unsavable(
        `it holds an instance of ${path
          .filter((part) => part !== "prototype")
          .slice(1)
          .join(".")}, which only Node can make`,
      );
    }
    if (!builtIn) functions.checkPrivates(value, prototype);
    return this.#slot(prototype) as NodeRef;
  }

  #fill(node: PieceNode, value: object, kind: ObjectKind): void {
    const wanted = writeContent(node, value, kind, {
      slot: (inner) => this.#slot(inner),
      spend: (bytes) => this.#spend(bytes),
    });
    if (wanted !== undefined) node[4] = this.#properties(value, wanted);
  }

  #properties(value: object, wanted: (key: string | symbol, own: PropertyDescriptor) => boolean): Properties {
    const properties: Properties = [];
    for (const key of Reflect.ownKeys(value)) {
      const own = Object.getOwnPropertyDescriptor(value, key);
      if (own === undefined || !wanted(key, own)) continue;
      properties.push(this.#slot(key));
      const attributes = (own.writable ? 1 : 0) + (own.enumerable ? 2 : 0) + (own.configurable ? 4 : 0);
      if (attributes === 7) properties.push(this.#slot(own.value));
      else {
        const described: Described = { attributes };
        for (const part of ["value", "get", "set"] as const) {
          if (own[part] !== undefined) described[part] = this.#slot(own[part]);
        }
        properties.push(described);
      }
    }
    return properties;
  }
}

function dataOfGlobal(name: string): object | undefined {
  return (Object.getOwnPropertyDescriptor(globalThis, name)?.value as { prototype?: object } | undefined)?.prototype;
}

import { Unsavable } from "./unsavable.js";

/** How to find something again that every kernel has or can have: where to begin, and the members to follow. */
export type KnownPath = [kind: "global" | "import" | "require" | "handle", name: string, ...members: string[]];

/** The tools and other handles of the kernel, by name. */
export type Handles = () => Iterable<readonly [string, unknown]>;

/** Values that are not written but found again: what the language and Node have, what modules export, the session's handles. */
export class KnownValues {
  readonly #globals = new Map<unknown, KnownPath>();
  readonly #modules = new Map<string, { kind: "import" | "require"; name: string; value: unknown }>();
  readonly #handles: Handles;
  #found = new Map<unknown, KnownPath>();
  #roots = new Map<string, unknown>();

  constructor(handles: Handles) {
    this.#handles = handles;
  }

  /** Remembers what there is before any cell has run. */
  begin(names: Iterable<string>): void {
    for (const name of names) {
      const value = globalNamed(name);
      if (!isHolder(value)) continue;
      this.#add(this.#globals, ["global", name], value);
      this.#addMembers(this.#globals, ["global", name], value);
    }
  }

  /** A module was loaded. */
  loaded(kind: "import" | "require", name: string, value: unknown): void {
    this.#modules.set(`${kind} ${name}`, { kind, name, value });
  }

  /** The modules that were loaded, in order. */
  get modules(): { kind: "import" | "require"; name: string }[] {
    return Array.from(this.#modules.values(), ({ kind, name }) => ({ kind, name }));
  }

  /** Takes stock of what there is now. */
  refresh(): void {
    this.#found = new Map();
    this.#roots = new Map(this.#handles());
    for (const [name, value] of this.#roots) {
      this.#add(this.#found, ["handle", name], value);
      if (name !== "tools") continue;
      for (const [kit, handle] of Object.entries(value as object)) {
        this.#add(this.#found, ["handle", name, kit], handle);
        for (const tool of Object.keys(handle as object)) {
          this.#add(this.#found, ["handle", name, kit, tool], (handle as Record<string, unknown>)[tool]);
        }
      }
    }
    for (const { kind, name, value } of this.#modules.values()) {
      if (!isHolder(value)) continue;
      this.#add(this.#found, [kind, name], value);
      this.#addMembers(this.#found, [kind, name], value);
    }
  }

  path(value: unknown): KnownPath | undefined {
    return this.#found.get(value) ?? this.#globals.get(value);
  }

  /** @throws Unsavable when it is not there any more. */
  at([kind, name, ...members]: KnownPath): unknown {
    let value: unknown;
    if (kind === "global") value = globalNamed(name);
    else if (kind === "handle") value = this.#roots.get(name);
    else value = this.#modules.get(`${kind} ${name}`)?.value;
    const whole = [kind === "import" || kind === "require" ? `the module ${name}` : name, ...members].join(".");
    if (value === undefined) throw new Unsavable(`it needs ${whole}, which is not there`);
    for (const member of members) {
      value = Object.hasOwn(value as object, member) ? (value as Record<string, unknown>)[member] : undefined;
      if (value === undefined) throw new Unsavable(`it needs ${whole}, which is not there`);
    }
    return value;
  }

  #add(to: Map<unknown, KnownPath>, path: KnownPath, value: unknown): void {
    if (isHolder(value) && !this.#globals.has(value) && !to.has(value)) to.set(value, path);
  }

  #addMembers(to: Map<unknown, KnownPath>, path: KnownPath, value: object): void {
    for (const key of Object.getOwnPropertyNames(value)) {
      const member = dataOf(value, key);
      if (!isHolder(member)) continue;
      const whole: KnownPath = [...path, key];
      if (typeof member !== "function" && key !== "prototype" && key !== "default") {
        // The plain data of a module is no more special than the program's own.
        if (path[0] === "global") this.#add(to, whole, member);
        continue;
      }
      this.#add(to, whole, member);
      const inner = key === "prototype" || key === "default" ? member : undefined;
      const prototype = typeof member === "function" ? dataOf(member, "prototype") : undefined;
      if (isHolder(prototype)) this.#add(to, [...whole, "prototype"], prototype);
      for (const name of inner === undefined ? [] : Object.getOwnPropertyNames(inner)) {
        const method = dataOf(inner!, name);
        if (typeof method === "function" && name !== "constructor") this.#add(to, [...whole, name], method);
      }
    }
  }
}

/** Accessors of the global object that Node has for plain values. */
const lazy = new Set(["Buffer", "process"]);

function globalNamed(name: string): unknown {
  return lazy.has(name) ? (globalThis as Record<string, unknown>)[name] : dataOf(globalThis, name);
}

function isHolder(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function dataOf(object: object, key: string): unknown {
  try {
    return Object.getOwnPropertyDescriptor(object, key)?.value as unknown;
  } catch {
    // An export that its module has not initialised yet.
    return undefined;
  }
}

import { types } from "node:util";
import type { Evaluator } from "../evaluator.js";
import type { CellTexts, SourcePlace } from "./cell-texts.js";
import { checkFree, hiddenFacts } from "./function-facts.js";
import { Unsavable } from "./unsavable.js";

/** A function or class, enough to make it again. */
export type FunctionFacts =
  | { kind: "source"; source: string; place: SourcePlace | undefined; isClass: boolean; name: string; length: number }
  | { kind: "bound"; target: unknown; self: unknown; args: unknown };

const textOf = Function.prototype.toString;

/** The functions and classes that cells have made, as a save sees them. */
export class UserFunctions {
  readonly #evaluator: Evaluator;
  readonly #texts: CellTexts;
  /** What the inspector told: of a function it never changes. */
  readonly #facts = new WeakMap<object, FunctionFacts>();
  /** Functions and prototypes that stand in the source of a class or go with it: the class, and the way to them. */
  readonly members = new WeakMap<
    object,
    { of: object; path: [part: "static" | "prototype", key: string | symbol, what: string] }
  >();
  /** Names of variables by the function that they hold. */
  names = new Map<unknown, string>();

  constructor(evaluator: Evaluator, texts: CellTexts) {
    this.#evaluator = evaluator;
    this.#texts = texts;
  }

  /** @throws Unsavable for one that its source alone does not make again. */
  facts(value: object): FunctionFacts {
    const known = this.#facts.get(value);
    if (known !== undefined) return known;
    const source = textOf.call(value);
    const hidden = hiddenFacts(this.#evaluator, value);
    const what = `the function ${nameOf(value) || "without a name"}`;
    let facts: FunctionFacts;
    if (hidden.bound !== undefined) facts = { kind: "bound", ...hidden.bound };
    else {
      if (/\{\s*\[native code\]\s*\}$/.test(source)) throw new Unsavable(`it holds ${what}, which is the engine's own`);
      const isClass = isClassText(source);
      const mine = isClass ? what.replace("function", "class") : what;
      checkFree(hidden, mine, (name, held) => held === value || this.names.get(held) === name);
      if (!isClass && /\bsuper\b/.test(source)) throw new Unsavable(`it holds ${what}, which uses super`);
      if (isClass && hidden.privates.length > 0) {
        throw new Unsavable(`it holds ${mine}, which keeps state in ${hidden.privates.join(", ")}`);
      }
      const place = hidden.location === undefined ? undefined : this.#texts.find(value, source, hidden.location);
      const { length } = value as { length: number };
      facts = { kind: "source", source, place, isClass, name: nameOf(value), length };
      // The private state of a class may have changed by the next save.
      if (isClass && source.includes("#")) return facts;
    }
    this.#facts.set(value, facts);
    return facts;
  }

  /** Says how to reach what the source of a class makes besides the class. */
  register(made: object): void {
    const source = textOf.call(made);
    if (!isClassText(source)) return;
    const prototype = (made as { prototype: object }).prototype;
    for (const [part, holder] of [
      ["static", made],
      ["prototype", prototype],
    ] as const) {
      for (const key of Reflect.ownKeys(holder)) {
        if (key === "constructor" || key === "prototype") continue;
        const own = Object.getOwnPropertyDescriptor(holder, key)!;
        for (const what of ["value", "get", "set"] as const) {
          const member = own[what] as unknown;
          if (typeof member !== "function" || this.names.has(member) || !source.includes(textOf.call(member))) continue;
          this.members.set(member, { of: made, path: [part, key, what] });
        }
      }
    }
  }

  /** @throws Unsavable for an object that keeps something in private fields. */
  checkPrivates(value: object, prototype: object): void {
    for (let at: object | null = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
      const made = Object.getOwnPropertyDescriptor(at, "constructor")?.value as unknown;
      if (typeof made !== "function") continue;
      const text = textOf.call(made);
      if (!text.includes("#") && this.names.has(made)) continue;
      const { privates } = hiddenFacts(this.#evaluator, value);
      if (privates.length === 0) return;
      const fields = privates.join(", ");
      throw new Unsavable(`it holds an instance of ${nameOf(made)}, whose private fields can't be read: ${fields}`);
    }
  }
}

/** The function whose `prototype` this is. */
export function makerOf(prototype: object): object | undefined {
  if (types.isProxy(prototype)) return undefined;
  const made = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value as unknown;
  if (typeof made !== "function" || types.isProxy(made)) return undefined;
  return Object.getOwnPropertyDescriptor(made, "prototype")?.value === prototype ? made : undefined;
}

export function nameOf(made: object): string {
  const name = Object.getOwnPropertyDescriptor(made, "name")?.value as unknown;
  return typeof name === "string" ? name : "";
}

export function isClassText(source: string): boolean {
  return /^class\b/.test(source);
}

import { inspect } from "node:util";
import type { VariableInfo } from "@artificer/protocol";
import { nearestNames } from "@artificer/protocol";
import type { Evaluator } from "./evaluator.js";
import { typeOf } from "./type-of.js";

/** The user's top-level names and what is bound to them. */
export class Variables {
  readonly #evaluator: Evaluator;
  /** What the global scope had before any cell. */
  readonly before: ReadonlySet<string>;
  /** Names that the kernel itself has put into the global scope. */
  readonly #handles: () => Iterable<string>;

  constructor(evaluator: Evaluator, handles: () => Iterable<string>) {
    this.#evaluator = evaluator;
    this.#handles = handles;
    this.before = new Set(Object.getOwnPropertyNames(globalThis));
  }

  names(): string[] {
    const handles = new Set(this.#handles());
    const globals = Object.keys(globalThis).filter((name) => !this.before.has(name) && !handles.has(name));
    return [...new Set([...this.#evaluator.lexicalNames(), ...globals])];
  }

  /** For messages: the user's names and handles, and the nearest among all globals. */
  hints(): { known: string[]; near: (name: string) => string[] } {
    const known = [...this.names(), ...this.#handles()];
    return { known, near: (name) => nearestNames(name, new Set([...known, ...this.before])) };
  }

  async list(maxReprChars: number): Promise<VariableInfo[]> {
    const infos: VariableInfo[] = [];
    for (const name of this.names().sort()) {
      const value = await this.#read(name);
      if (value === undefined) continue;
      infos.push({
        name,
        type: typeOf(value.value),
        repr: shortRepr(value.value, maxReprChars),
        ...sizeOf(value.value),
      });
    }
    return infos;
  }

  /** One of the user's variables; undefined when there is none of that name. */
  async value(name: string): Promise<{ value: unknown } | undefined> {
    return this.names().includes(name) ? this.#read(name) : undefined;
  }

  /** What `let`, `const` and `class` have bound at the top level, read at once and without running any code of a cell. */
  lexicalValues(): Map<string, unknown> {
    const names = this.#evaluator.lexicalNames();
    const readers = this.#evaluator.runNow(`[${names.map((name) => `()=>${name}`).join(",")}]`, "artificer:variables");
    const values = new Map<string, unknown>();
    for (const [index, read] of (readers as (() => unknown)[]).entries()) {
      try {
        values.set(names[index]!, read());
      } catch {
        // Its initialiser failed.
      }
    }
    return values;
  }

  /** Undefined for a name whose initialiser failed. */
  #read(name: string): Promise<{ value: unknown } | undefined> {
    return new Promise((resolve) => {
      this.#evaluator.run(`(${name})`, "artificer:variables", (reply) => {
        const failed = reply === undefined || reply.exceptionDetails !== undefined;
        resolve(failed ? undefined : { value: this.#evaluator.valueOf(reply.result) });
      });
    });
  }
}

/** How the language writes a value, shortened in the middle of long ones by the inspector's own limits. */
export function shortRepr(value: unknown, maxChars: number): string {
  let text: string;
  try {
    text = inspect(value, { depth: 3, maxArrayLength: 50, maxStringLength: maxChars, breakLength: 100 });
  } catch (error) {
    text = `<${typeOf(value)} whose inspection failed: ${String(error)}>`;
  }
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}

function sizeOf(value: unknown): { bytes?: number } {
  if (typeof value === "string") return { bytes: Buffer.byteLength(value) };
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return { bytes: value.byteLength };
  return {};
}

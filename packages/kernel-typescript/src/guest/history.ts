import { currentNames } from "./history-names.js";

// Whoever returned a value once does not expect it to be kept for ever.
const maxValues = 20;
const maxLarge = 4;
const recent = ["_", "__", "___"];

/** The values of the last cells: `_`, `__`, `___`, `_3` and `Out[3]`, as globals, so that the user's own names come first. */
export class History {
  readonly #values = new Map<number, unknown>();
  readonly #large: number[] = [];
  /** Our own entries, to tell them from what the user put there. */
  #placed = new Map<string, unknown>();
  readonly #outputs = outputs(this.#values);

  add(cell: number, value: unknown): void {
    this.#values.delete(cell);
    this.#values.set(cell, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= maxValues) break;
      this.#values.delete(oldest);
    }
  }

  /** Of large values fewer are kept. Returns the expression that stands for this one in later cells. */
  large(cell: number): string {
    this.#large.push(cell);
    while (this.#large.length > maxLarge) this.#values.delete(this.#large.shift()!);
    return `_${cell}`;
  }

  /** Before a cell: the names are what they should be. */
  bind(): void {
    const wanted = new Map<string, unknown>([["Out", this.#outputs]]);
    for (const [cell, value] of this.#values) wanted.set(`_${cell}`, value);
    const latest = [...this.#values.values()].reverse();
    for (const [index, name] of recent.entries()) if (index < latest.length) wanted.set(name, latest[index]);
    this.#placed = currentNames(wanted, this.#placed);
  }
}

/** `Out`: a cell's number to its value. `Out.clear()` lets go of all of them. */
function outputs(values: Map<number, unknown>): object {
  const target = Object.defineProperty({}, "clear", { value: () => values.clear(), configurable: true });
  const numberOf = (key: string | symbol) => (typeof key === "string" && /^\d+$/.test(key) ? Number(key) : undefined);
  return new Proxy(target, {
    get(object, key, receiver) {
      const cell = numberOf(key);
      if (cell === undefined) return Reflect.get(object, key, receiver) as unknown;
      if (values.has(cell)) return values.get(cell);
      const kept = [...values.keys()].join(", ") || "none";
      throw new RangeError(
        `Out[${cell}] is not kept: only the last ${maxValues} values are, now those of cells ${kept}`,
      );
    },
    has: (object, key) => values.has(numberOf(key) ?? -1) || Reflect.has(object, key),
    ownKeys: () => Array.from(values.keys(), String).concat("clear"),
    getOwnPropertyDescriptor(object, key) {
      const cell = numberOf(key);
      if (cell === undefined || !values.has(cell)) return Reflect.getOwnPropertyDescriptor(object, key);
      return { value: values.get(cell), enumerable: true, configurable: true, writable: false };
    },
  });
}

import type { RanCell } from "@artificer/protocol";
import type { CellModule, CheckResult, KnownName } from "./checker-messages.js";

const maxModules = 200;
const maxModuleBytes = 64 * 1024;
const maxBytes = 2 ** 20;
const maxUnread = 20;
const maxUnreadBytes = 512 * 1024;

/** What a session's earlier cells have declared, within bounds: what falls out is of any type. */
export class EarlierCells {
  /** Modules, the oldest first. */
  readonly #modules = new Map<string, string>();
  readonly #known = new Map<string, KnownName>();
  /** Cells that have run and were not read yet. */
  readonly #unread: RanCell[] = [];
  #count = 0;
  #bytes = 0;
  #unreadBytes = 0;

  /** A cell that has run without being checked. */
  add(cell: RanCell): void {
    this.#unread.push(cell);
    this.#unreadBytes += cell.code.length;
    while (this.#unread.length > maxUnread || this.#unreadBytes > maxUnreadBytes)
      this.#loosen(this.takeUnread()!.names);
  }

  takeUnread(): RanCell | undefined {
    const cell = this.#unread.shift();
    if (cell !== undefined) this.#unreadBytes -= cell.code.length;
    return cell;
  }

  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  /**
   * Keeps what a cell that has run declares. Of one that did not complete nothing is sure: a name may have its old value. Nor of a
   * name that an unchecked cell only assigned.
   */
  keep(cell: RanCell, { declarations, declared }: CheckResult, checked: boolean): void {
    const own = new Set(declared.map(({ name }) => name));
    if (!cell.completed || (declarations === undefined && declared.length === 0)) {
      this.#loosen(cell.names);
      return;
    }
    if (!checked) this.#loosen(cell.names.filter((name) => !own.has(name)));
    if (declared.length === 0) return;
    if (declarations === undefined || declarations.length > maxModuleBytes) {
      this.#loosen(own);
      return;
    }
    const module = `cell-${++this.#count}`;
    this.#modules.set(module, declarations);
    this.#bytes += declarations.length;
    for (const { name, kind } of declared) this.#known.set(name, { name, module, kind });
    while (this.#modules.size > maxModules || this.#bytes > maxBytes) this.#dropOldest();
  }

  get modules(): CellModule[] {
    return Array.from(this.#modules, ([name, text]) => ({ name, text }));
  }

  /** The names that a cell may use: those bound in the live kernel, and types, which no kernel knows. */
  known(bound: readonly string[]): KnownName[] {
    const live = new Set(bound);
    const typed = [...this.#known.values()].filter(({ name, kind }) => live.has(name) || kind === "imported");
    const names = new Set(typed.map(({ name }) => name));
    return [...typed, ...bound.filter((name) => !names.has(name) && isIdentifier(name)).map((name) => ({ name }))];
  }

  #loosen(names: Iterable<string>): void {
    for (const name of names) this.#known.delete(name);
  }

  #dropOldest(): void {
    const [name, text] = this.#modules.entries().next().value!;
    this.#modules.delete(name);
    this.#bytes -= text.length;
    for (const known of [...this.#known.values()]) if (known.module === name) this.#known.delete(known.name);
  }
}

function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name);
}

import type { ColumnShift } from "../../prepare/cell-header.js";

/** Where the source of a function stands: in which script, at which line and column from 0. */
export interface SourcePlace {
  script: string;
  line: number;
  column: number;
  shifts: ColumnShift[];
}

/** The scripts that cells became, to tell where a function of theirs was written. */
export class CellTexts {
  readonly #scripts = new Map<string, { text: string; shifts: ColumnShift[] }>();
  readonly #places = new WeakMap<object, SourcePlace>();

  add(script: string, text: string, shifts: readonly ColumnShift[] = []): void {
    this.#scripts.set(script, { text, shifts: [...shifts] });
  }

  /** Remembers the place of a function that was made anew from its source. */
  settle(made: object, at: SourcePlace): void {
    this.#places.set(made, at);
  }

  /** The place of a function; `line` and `column` are somewhere within it. Undefined when no cell wrote it. */
  find(made: object, source: string, { line, column }: { line: number; column: number }): SourcePlace | undefined {
    const known = this.#places.get(made);
    if (known !== undefined) return known;
    for (const [script, { text, shifts }] of [...this.#scripts].reverse()) {
      const within = offsetOf(text, line, column);
      if (within === undefined) continue;
      const start = text.lastIndexOf(source, within);
      if (start < 0 || start + source.length < within) continue;
      const before = text.slice(0, start);
      const first = before.split("\n").length - 1;
      const last = first + source.split("\n").length;
      const place = {
        script,
        line: first,
        column: start - (before.lastIndexOf("\n") + 1),
        shifts: shifts.filter((shift) => shift.line > first && shift.line <= last + 1),
      };
      this.#places.set(made, place);
      return place;
    }
    return undefined;
  }
}

function offsetOf(text: string, line: number, column: number): number | undefined {
  let start = 0;
  for (let at = 0; at < line; at++) {
    start = text.indexOf("\n", start) + 1;
    if (start === 0) return undefined;
  }
  return start + column <= text.length ? start + column : undefined;
}

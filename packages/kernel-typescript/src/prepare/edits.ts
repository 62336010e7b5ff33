import type { ColumnShift } from "./cell-header.js";

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Changes to a source text that never add or remove a line, and remember where they moved columns. */
export class Edits {
  readonly source: string;
  readonly #edits: Edit[] = [];

  constructor(source: string) {
    this.source = source;
  }

  /** Turns everything but line ends into spaces. `;` in front keeps the statement before from running into the one after. */
  blank(start: number, end: number, separator = ""): void {
    if (end <= start) return;
    const blank = this.source.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, " ");
    this.#edits.push({ start, end, text: separator + blank.slice(separator.length) });
  }

  replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /** The changed text, where its columns moved, and how to find a place of the source in it. */
  apply(shifts: ColumnShift[] = []): { text: string; shifts: ColumnShift[]; place: (offset: number) => number } {
    // Array.prototype.sort is stable: insertions at one place stay in the order they were made.
    const edits = this.#edits.sort((a, b) => a.start - b.start || a.end - b.end);
    const moves: { from: number; by: number }[] = [];
    let text = "";
    let last = 0;
    let line = 1;
    let lineStart = 0;
    const append = (piece: string) => {
      for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) {
        line++;
        lineStart = text.length + at + 1;
      }
      text += piece;
    };
    for (const edit of edits) {
      // An edit inside a region that is already gone has nothing to change.
      if (edit.start < last) continue;
      append(this.source.slice(last, edit.start));
      append(edit.text);
      last = edit.end;
      const by = edit.text.length - (edit.end - edit.start);
      if (by === 0) continue;
      moves.push({ from: edit.end, by });
      shifts.push({ line, column: text.length - lineStart + 1, by });
    }
    append(this.source.slice(last));
    const place = (offset: number) => moves.reduce((sum, move) => (move.from <= offset ? sum + move.by : sum), offset);
    return { text, shifts, place };
  }
}

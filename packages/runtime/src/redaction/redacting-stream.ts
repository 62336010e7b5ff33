import type { Candidate, SecretFinder } from "./secret-finder.js";

/** Told of every secret that was taken out, by its kind. */
export type OnRedacted = (kind: string) => void;

/** What may be a secret and is longer than this is not waited for. */
const maxHeld = 16_384;
/** Characters shown already that are looked at again: a beginning may be split over chunks. */
const contextLength = 32;

/**
 * Takes secrets out of a text that comes in pieces. Held back is only what may be one: from where it begins to the end of the
 * piece. The beginning itself, which gives nothing away, may have been shown before.
 */
export class RedactingStream {
  readonly #finder: SecretFinder;
  readonly #onRedacted: OnRedacted;
  #context = "";
  #held = "";
  /** Set while the rest of a very long secret is dropped. */
  #rest: RegExp | undefined;

  constructor(finder: SecretFinder, onRedacted: OnRedacted) {
    this.#finder = finder;
    this.#onRedacted = onRedacted;
  }

  push(text: string): string {
    return this.#take(text, false);
  }

  /** True when the bytes, read as Latin-1, hold no secret and none goes on from before or begins at their end: they may be shown as they are. */
  passes(bytes: Buffer): boolean {
    const finder = this.#finder;
    const edge = Math.max(contextLength * 2, finder.longest);
    if (this.#held !== "" || this.#rest !== undefined || bytes.byteLength < 2 * edge) return false;
    if (finder.mayHold(this.#context + bytes.toString("latin1", 0, edge)) || finder.mayHoldBytes(bytes)) return false;
    const tail = bytes.toString("latin1", bytes.byteLength - edge);
    if (finder.openLength(tail) > 0) return false;
    this.#context = tail.slice(-contextLength);
    return true;
  }

  /** No more will come: what was held back is shown, or redacted. */
  end(): string {
    const last = this.#take("", true);
    this.#context = "";
    this.#rest = undefined;
    return last;
  }

  #take(piece: string, final: boolean): string {
    const text = this.#rest === undefined ? piece : this.#dropRest(piece);
    const shown = this.#context.length;
    const whole = this.#context + this.#held + text;
    if (whole.length === shown) return "";
    const plain = this.#held === "" && !this.#finder.mayHold(whole);
    this.#held = "";
    if (plain) return this.#settle(whole, shown, shown, final, "");
    let out = "";
    let at = shown;
    let contextFrom = 0;
    let from = 0;
    for (;;) {
      const candidate = this.#finder.next(whole, from);
      if (candidate === undefined) break;
      const { start, end, shape, kind } = candidate;
      const open = shape !== undefined && end === whole.length && !final;
      if (open && end - start <= maxHeld) return out + this.#hold(whole, at, candidate, contextFrom);
      const offset = shape === undefined ? 0 : shape.secretFrom(whole.slice(start, end));
      if (end <= at || offset === undefined || !isClosed(whole, candidate)) {
        from = this.#finder.after(candidate);
        continue;
      }
      const secretFrom = Math.max(at, start + offset);
      out += `${whole.slice(at, secretFrom)}[redacted: ${kind}]`;
      this.#onRedacted(kind);
      at = contextFrom = from = end;
      if (open) this.#rest = shape.rest;
    }
    return this.#settle(whole, at, contextFrom, final, out);
  }

  /** The rest of the text is free of secrets, but for one known by its value that may begin at its end. */
  #settle(whole: string, at: number, contextFrom: number, final: boolean, out: string): string {
    const open = final ? 0 : Math.min(this.#finder.openLength(whole), whole.length - at);
    const end = whole.length - open;
    this.#held = whole.slice(end);
    this.#context = whole.slice(Math.max(out === "" ? 0 : contextFrom, end - contextLength, 0), end);
    return out + whole.slice(at, end);
  }

  #hold(whole: string, at: number, { start }: Candidate, contextFrom: number): string {
    const from = Math.max(at, start);
    this.#held = whole.slice(from);
    this.#context = whole.slice(Math.max(contextFrom, from - contextLength), from);
    return whole.slice(at, from);
  }

  #dropRest(text: string): string {
    const rest = this.#rest!;
    rest.lastIndex = 0;
    const dropped = rest.exec(text)?.[0].length ?? 0;
    if (dropped < text.length || text === "") this.#rest = text === "" ? rest : undefined;
    return text.slice(dropped);
  }
}

/** A password in an address ends with the sign that follows it. */
function isClosed(whole: string, { end, kind, shape }: Candidate): boolean {
  return shape === undefined || kind !== "password" || whole[end] === "@";
}

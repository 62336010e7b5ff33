/*
 * Terminal escapes, over bytes written as Latin-1: control sequences, the strings of operating-system and device commands, the
 * two-character ones, and the one-byte control sequence introducer as UTF-8 spells it.
 */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]{0,4096}\x1b\\|\x1b[ -/]+[0-~]|\x1b[0-OQ-WYZ\\`-~]|\xc2\x9b[0-?]*[ -/]*[@-~]/g;

const opening =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
  /(?:\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]{0,4096}\x1b?|[PX^_][^\x1b]{0,4096}\x1b?|[ -/]*)|\xc2(?:\x9b[0-?]*[ -/]*)?)$/;

/** Takes terminal escapes out of bytes, given as a Latin-1 string, that come in pieces; one that is cut off waits for its end. */
export class EscapeFilter {
  #held = "";

  push(piece: string): string {
    if (this.#held === "" && !piece.includes("\x1b") && !piece.includes("\x9b") && !piece.endsWith("\xc2"))
      return piece;
    const whole = (this.#held + piece).replace(sequence, "");
    const open = opening.exec(whole);
    this.#held = open === null ? "" : open[0];
    return open === null ? whole : whole.slice(0, open.index);
  }

  /** True when there is no escape in the bytes, nor the beginning of one. */
  passes(bytes: Buffer): boolean {
    return this.#held === "" && !bytes.includes(0x1b) && !bytes.includes(0x9b) && bytes.at(-1) !== 0xc2;
  }

  /** What was held back never became an escape; a lone introducer is dropped, for no one should be shown it. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held.startsWith("\x1b") ? held.slice(1) : held;
  }
}

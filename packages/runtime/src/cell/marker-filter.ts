const markerStart = new TextEncoder().encode("\0artificer:");
const maxHeldBytes = 65_536;

/**
 * Finds where a cell's output ends in a stream. The kernel writes a marker after the last byte, but its name is told on another
 * channel and may come later; so what could be a marker is held back until then. All else passes at once.
 */
export class MarkerFilter {
  readonly #pass: (chunk: Uint8Array) => void;
  #held: Uint8Array | undefined;

  constructor(pass: (chunk: Uint8Array) => void) {
    this.#pass = pass;
  }

  push(chunk: Uint8Array): void {
    if (this.#held !== undefined) {
      this.#hold(Buffer.concat([this.#held, chunk]));
      return;
    }
    const start = possibleMarker(chunk);
    if (start === -1) {
      this.#pass(chunk);
      return;
    }
    if (start > 0) this.#pass(chunk.subarray(0, start));
    this.#hold(chunk.slice(start));
  }

  /** Looks for the marker in what is held. Found: what precedes it passes, what follows is returned. */
  find(marker: Uint8Array): Uint8Array | undefined {
    const held = this.#held;
    if (held === undefined) return undefined;
    const at = Buffer.from(held.buffer, held.byteOffset, held.byteLength).indexOf(marker);
    if (at === -1) return undefined;
    this.#held = undefined;
    if (at > 0) this.#pass(held.subarray(0, at));
    return held.subarray(at + marker.byteLength);
  }

  /** No marker will come: what is held was output. */
  release(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#pass(held);
  }

  #hold(bytes: Uint8Array): void {
    this.#held = bytes;
    if (possibleMarker(bytes) !== 0 || bytes.byteLength > maxHeldBytes) {
      this.#held = undefined;
      if (bytes.byteLength > maxHeldBytes) this.#pass(bytes);
      else this.push(bytes);
    }
  }
}

/** Where a marker begins, whole or cut off by the chunk's end; -1 when there is none. */
function possibleMarker(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
    const length = Math.min(markerStart.byteLength, bytes.byteLength - at);
    let same = 0;
    while (same < length && bytes[at + same] === markerStart[same]) same++;
    if (same === length) return at;
  }
  return -1;
}

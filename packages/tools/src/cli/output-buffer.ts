/** Keeps the beginning and the end of a stream, and counts the rest. */
export class OutputBuffer {
  readonly #maxHeadBytes: number;
  readonly #maxTailBytes: number;
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  totalBytes = 0;

  constructor(maxHeadBytes: number, maxTailBytes: number) {
    this.#maxHeadBytes = maxHeadBytes;
    this.#maxTailBytes = maxTailBytes;
  }

  /** Takes a piece; false when not all of the stream is kept any more. */
  push(chunk: Uint8Array): boolean {
    this.totalBytes += chunk.byteLength;
    const room = this.#maxHeadBytes - this.#headBytes;
    if (room > 0) {
      const kept = chunk.byteLength <= room ? chunk : chunk.subarray(0, room);
      this.#head.push(kept);
      this.#headBytes += kept.byteLength;
    }
    if (chunk.byteLength > room) this.#pushTail(room > 0 ? chunk.subarray(room) : chunk);
    return this.totalBytes <= this.#maxHeadBytes + this.#maxTailBytes;
  }

  #pushTail(chunk: Uint8Array): void {
    if (this.#maxTailBytes === 0) return;
    this.#tail.push(chunk);
    this.#tailBytes += chunk.byteLength;
    // Whole pieces are dropped while enough stays without them; the last cut is made when the bytes are asked for.
    while (this.#tail.length > 1 && this.#tailBytes - this.#tail[0]!.byteLength >= this.#maxTailBytes) {
      this.#tailBytes -= this.#tail.shift()!.byteLength;
    }
  }

  /** What was kept; a line between beginning and end says how much is missing. */
  bytes(): Uint8Array {
    const tail = Buffer.concat(this.#tail);
    const end = tail.subarray(Math.max(0, tail.byteLength - this.#maxTailBytes));
    const lost = this.totalBytes - this.#headBytes - end.byteLength;
    const gap = lost > 0 && this.#maxTailBytes > 0 ? Buffer.from(`\n[… ${lost} bytes left out …]\n`) : Buffer.alloc(0);
    // Buffer.concat may share Node's pool: a result that is kept or transferred has to own its memory.
    return Uint8Array.from(Buffer.concat([...this.#head, gap, end]));
  }
}

/** Keeps the first and last bytes of a stream within a budget, and counts the rest. */
export class HeadTail {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #head: Uint8Array[] = [];
  #headLength = 0;
  #tail: Uint8Array[] = [];
  #tailLength = 0;
  #total = 0;

  /** Two fifths of the budget go to the head, the rest to the tail: the end of an output tells more. */
  constructor(maxBytes: number, headShare = 0.4) {
    this.#headBytes = Math.floor(maxBytes * headShare);
    this.#tailBytes = maxBytes - this.#headBytes;
  }

  /** Keeps the last bytes alone. */
  static tailOnly(maxBytes: number): HeadTail {
    return new HeadTail(maxBytes, 0);
  }

  /** Counts bytes that are not given: a gap before what comes next. */
  skip(bytes: number): void {
    this.#total += bytes;
    this.#tail = [];
    this.#tailLength = 0;
  }

  push(chunk: Uint8Array): void {
    this.#total += chunk.byteLength;
    const room = this.#headBytes - this.#headLength;
    const toHead = chunk.subarray(0, Math.max(0, room));
    if (toHead.byteLength > 0) {
      this.#head.push(toHead.slice());
      this.#headLength += toHead.byteLength;
    }
    const rest = chunk.subarray(toHead.byteLength);
    if (rest.byteLength > 0) this.#pushTail(rest);
  }

  get totalBytes(): number {
    return this.#total;
  }

  get cut(): boolean {
    return this.#total > this.#headBytes + this.#tailBytes;
  }

  /** The bytes kept: all of them, or head and tail apart. */
  parts(): { head: Uint8Array; tail: Uint8Array } {
    const tail = join(this.#tail, this.#tailLength);
    return {
      head: join(this.#head, this.#headLength),
      tail: tail.subarray(Math.max(0, tail.byteLength - this.#tailBytes)),
    };
  }

  #pushTail(rest: Uint8Array): void {
    this.#tail.push(rest.slice(Math.max(0, rest.byteLength - this.#tailBytes)));
    this.#tailLength += this.#tail.at(-1)!.byteLength;
    // Joined only now and then, so that many small writes stay cheap.
    if (this.#tailLength > 2 * this.#tailBytes + 65_536 || this.#tail.length > 4096) {
      const joined = join(this.#tail, this.#tailLength);
      this.#tail = [joined.slice(Math.max(0, joined.byteLength - this.#tailBytes))];
      this.#tailLength = this.#tail[0]!.byteLength;
    }
  }
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return joined;
}

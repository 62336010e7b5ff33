/** Cuts what a source gives into pieces of exactly `bytes` bytes, but for the last; an empty source gives none. A piece is a copy. */
export async function* equalChunks(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let missing = bytes;
  for await (const chunk of source) {
    for (let offset = 0; offset < chunk.byteLength; ) {
      // A copy at once: the source may use its memory again as soon as it is asked for more.
      const part = new Uint8Array(chunk.subarray(offset, offset + missing));
      parts.push(part);
      offset += part.byteLength;
      missing -= part.byteLength;
      if (missing > 0) continue;
      yield joined(parts, bytes);
      parts = [];
      missing = bytes;
    }
  }
  if (parts.length > 0) yield joined(parts, bytes - missing);
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(bytes);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

/** Bytes as the one chunk that they are; nothing for none. */
export async function* oneChunk(bytes: Uint8Array | null): AsyncGenerator<Uint8Array, void, void> {
  if (bytes !== null && bytes.byteLength > 0) yield bytes;
}

/** Longest name of one directory entry, in bytes; file systems allow 255, and a suffix has to fit. */
const maxNameBytes = 240;

/**
 * Splits a name that no file system would take into a chain of names: all but the last end in a bare `%`, which no
 * encoded name does, and are folders. Never splits a character or a percent triple.
 */
export function nameChunks(encoded: string): string[] {
  const chunks: string[] = [];
  let chunk = "";
  let bytes = 0;
  for (const unit of encoded.match(/%[0-9A-F]{2}|./gsu) ?? []) {
    const size = Buffer.byteLength(unit);
    if (bytes + size > maxNameBytes) {
      chunks.push(`${chunk}%`);
      chunk = "";
      bytes = 0;
    }
    chunk += unit;
    bytes += size;
  }
  chunks.push(chunk);
  return chunks;
}

/** True for the folder that holds the rest of a long name. */
export function isChunk(name: string): boolean {
  return name.endsWith("%");
}

/** The name that a chain of chunks stands for; undefined when the chain is not how `nameChunks` splits it. */
export function joinChunks(names: readonly string[]): string | undefined {
  if (names.length === 1) return names[0];
  const joined = names.map((name) => (isChunk(name) ? name.slice(0, -1) : name)).join("");
  return nameChunks(joined).join("/") === names.join("/") ? joined : undefined;
}

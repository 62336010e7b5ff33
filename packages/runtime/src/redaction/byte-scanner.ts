/** Says quickly whether any of some texts stands in bytes, reading only a part of them (after Wu and Manber). */
export interface ByteScanner {
  finds(bytes: Uint8Array): boolean;
}

/** @param texts Latin-1, none shorter than two characters. */
export function createByteScanner(texts: readonly string[]): ByteScanner {
  const patterns = texts.map((text) => Buffer.from(text, "latin1"));
  const window = Math.min(...patterns.map(({ byteLength }) => byteLength));
  if (patterns.length === 0) return { finds: () => false };
  // How far the window may move when it ends with these two bytes; 0: a text may begin here.
  const shifts = new Uint8Array(65_536).fill(Math.min(window - 1, 255));
  const endingWith = new Map<number, Buffer[]>();
  for (const pattern of patterns) {
    for (let end = 1; end < window; end++) {
      const pair = (pattern[end - 1]! << 8) | pattern[end]!;
      shifts[pair] = Math.min(shifts[pair]!, window - 1 - end);
    }
    const last = (pattern[window - 2]! << 8) | pattern[window - 1]!;
    endingWith.set(last, [...(endingWith.get(last) ?? []), pattern]);
  }

  return {
    finds(bytes) {
      const { byteLength } = bytes;
      for (let end = window - 1; end < byteLength; ) {
        const pair = (bytes[end - 1]! << 8) | bytes[end]!;
        const shift = shifts[pair]!;
        if (shift > 0) {
          end += shift;
          continue;
        }
        if (endingWith.get(pair)?.some((pattern) => standsAt(bytes, end - window + 1, pattern))) return true;
        end++;
      }
      return false;
    },
  };
}

function standsAt(bytes: Uint8Array, start: number, pattern: Uint8Array): boolean {
  if (start + pattern.byteLength > bytes.byteLength) return false;
  for (let at = 0; at < pattern.byteLength; at++) if (bytes[start + at] !== pattern[at]) return false;
  return true;
}

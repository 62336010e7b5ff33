/** How deep a message may nest. The SDK checks messages level by level, and would run out of stack on one nested for that purpose. */
export const maxMessageDepth = 600;

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Reads JSON text in pieces, as it comes, and says of each piece whether the text so far nests deeper than `levels`. It counts brackets
 * outside of strings and needs no room of its own, whatever the text is.
 */
export function createDepthScanner(levels: number): (piece: string) => boolean {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (escaped) escaped = false;
      else if (inString) {
        if (code === backslash) escaped = true;
        else if (code === quote) inString = false;
      } else if (code === quote) inString = true;
      else if (code === openList || code === openObject) depth++;
      else if (code === closeList || code === closeObject) depth--;
      if (depth > levels) return true;
    }
    return false;
  };
}

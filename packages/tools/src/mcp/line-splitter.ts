/** How much of an oversized line is kept at either end, to find out which request it answers. */
const keptBytes = 512;

/** What a line splitter reports. */
export interface LineEvents {
  /** A whole line, without its end. */
  line(text: string): void;
  /** A line of more than `maxBytes` has ended; its ends are told, the middle is gone. */
  oversized(head: string, tail: string, bytes: number): void;
  /** One line has passed `floodBytes` and still goes on. Told once. */
  flood(bytes: number): void;
}

/** Splits a byte stream into lines, never holding more than `maxBytes` of it. */
export function createLineSplitter(
  { maxBytes, floodBytes }: { maxBytes: number; floodBytes: number },
  events: LineEvents,
): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let head: Buffer = Buffer.alloc(0);
  let tail: Buffer = Buffer.alloc(0);
  let flooded = false;

  const take = (piece: Buffer) => {
    if (piece.length === 0) return;
    const before = bytes;
    bytes += piece.length;
    if (bytes <= maxBytes) {
      chunks.push(piece);
      return;
    }
    if (before <= maxBytes) {
      const held = Buffer.concat(chunks);
      head = Buffer.from(Buffer.concat([held, piece]).subarray(0, keptBytes));
      tail = Buffer.from(held.subarray(-keptBytes));
      chunks = [];
    }
    tail = Buffer.from(Buffer.concat([tail, piece.subarray(-keptBytes)]).subarray(-keptBytes));
    if (bytes > floodBytes && !flooded) {
      flooded = true;
      events.flood(bytes);
    }
  };

  return (chunk) => {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(10, start);
      take(chunk.subarray(start, end < 0 ? undefined : end));
      if (end < 0) return;
      if (bytes > maxBytes) events.oversized(head.toString("utf8"), tail.toString("utf8"), bytes);
      else events.line(Buffer.concat(chunks).toString("utf8").replace(/\r$/, ""));
      chunks = [];
      bytes = 0;
      start = end + 1;
    }
  };
}

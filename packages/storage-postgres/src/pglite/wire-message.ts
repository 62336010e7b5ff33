/** What is sent to the database, as far as it matters here. */
export interface Message {
  /** `begin`: the text of a statement; `values`: what goes into it; `other`: describing, running, ending. */
  kind: "begin" | "values" | "other";
  bytes: number;
  /** The statement's text, when it comes with it. */
  sql?: string;
  /** Whether it only ends what went before. */
  closes: boolean;
}

const headerBytes = 5;
/** Enough of a statement to know what it does. */
const textBytes = 64;

/** Reads a message of PostgreSQL's protocol: its kind by the first byte, its statement by the place that it has in it. */
export function readMessage(bytes: Uint8Array): Message {
  const kind = String.fromCharCode(bytes[0] ?? 0);
  const about = { bytes: bytes.byteLength, closes: kind === "S" };
  switch (kind) {
    case "Q": {
      const sql = textAt(bytes, headerBytes);
      return { ...about, kind: "begin", sql, closes: /^\s*rollback/i.test(sql) };
    }
    // The statement's name stands before its text.
    case "P":
      return { ...about, kind: "begin", sql: textAt(bytes, bytes.indexOf(0, headerBytes) + 1) };
    case "B":
      return { ...about, kind: "values" };
    default:
      return { ...about, kind: "other" };
  }
}

function textAt(bytes: Uint8Array, start: number): string {
  const end = bytes.indexOf(0, start);
  return new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + textBytes)));
}

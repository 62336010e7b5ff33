import { ArtificerError } from "@artificer/protocol";

const lookedAtBytes = 8192;

/** A text as it stands in a file. */
export interface FileText {
  text: string;
  /** A byte-order mark stood before it. */
  bom: boolean;
  /** False when bytes that are no UTF-8 were replaced: writing it back would lose them. */
  exact: boolean;
}

/** True for what no editor would open: a NUL among the first bytes. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, lookedAtBytes).includes(0);
}

/** The text of a file's bytes, without its byte-order mark. */
export function decodeText(bytes: Uint8Array): FileText {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), bom, exact: true };
  } catch {
    return { text: new TextDecoder("utf-8").decode(bytes), bom, exact: false };
  }
}

/** The bytes of a text, with the byte-order mark that stood before it. */
export function encodeText(text: string, bom: boolean): Uint8Array {
  return Buffer.from(bom ? `\uFEFF${text}` : text, "utf8");
}

/** @throws ArtificerError `tool/failed` for a file that can't be changed as text without losing something. */
export function decodeForEditing(bytes: Uint8Array, shown: string): FileText {
  const file = decodeText(bytes);
  if (file.exact && !isBinary(bytes)) return file;
  throw new ArtificerError("tool/failed", `${shown} is no text in UTF-8, so it can't be patched.`, {
    details: { path: shown },
    hint: "Write it whole with write_file, or change it with terminal().",
  });
}

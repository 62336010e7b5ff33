import { joinChunks, nameChunks } from "./name-chunks.js";
import type { Naming } from "./naming.js";
import { percentDecode, percentEncode, spellOut } from "./percent.js";

/** What Windows allows in no name, the escape itself, and a last dot, which it drops. */
const awkward = /[:*?"<>|%]|\.$/gu;

/**
 * Names as people write them, for files that people read and edit. What a file system can't hold is percent-encoded.
 * A name that is taken by something else (a folder `a` where a file `a` should go, `A` beside `a` where case does not
 * count) is spelled out whole, byte by byte; that of a folder then ends in an encoded slash, so that it has a form of its own.
 */
export const plainNaming: Naming = {
  write: (segment, folder) => [nameChunks(plain(segment)), nameChunks(spelled(segment, folder))],
  read(names, folder) {
    const joined = joinChunks(names)?.normalize("NFC");
    const decoded = joined === undefined ? undefined : percentDecode(joined);
    if (decoded === undefined) return undefined;
    const segment = folder && decoded.endsWith("/") ? decoded.slice(0, -1) : decoded;
    return joined === plain(segment) || joined === spelled(segment, folder) ? segment : undefined;
  },
};

function plain(segment: string): string {
  return percentEncode(segment, awkward);
}

function spelled(segment: string, folder: boolean): string {
  return spellOut(folder ? `${segment}/` : segment);
}

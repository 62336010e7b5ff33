import { stripVTControlCharacters } from "node:util";
import { EscapeFilter } from "./escape-filter.js";
import type { KnownSecret } from "./known-secrets.js";
import { type OnRedacted, RedactingStream } from "./redacting-stream.js";
import { createSecretFinder } from "./secret-finder.js";

/** Cleans the bytes of one stream as they come: terminal escapes and secrets do not pass. */
export interface CleanStream {
  push(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** Keeps terminal escapes and secrets out of all that is stored, streamed or shown. */
export interface Redactor {
  /** A whole text. */
  text(text: string, onRedacted?: OnRedacted): string;
  /** The bytes of one stream; nothing that ends cut off at a chunk's end is missed. */
  stream(onRedacted?: OnRedacted): CleanStream;
}

export interface RedactorOptions {
  known: readonly KnownSecret[];
  /** False: escapes are still stripped, secrets pass. */
  secrets: boolean;
}

/** From here on bytes are looked through before a text is made of them. */
const largeChunk = 1_024;

/** Pure: built once a session. */
export function createRedactor({ known, secrets }: RedactorOptions): Redactor {
  const finder = createSecretFinder(known);
  // Streams are read as Latin-1, a character a byte, so that nothing depends on where their chunks end.
  const isAscii = known.every(({ text }) => /^[\0-\x7f]*$/.test(text));
  const byteFinder = isAscii
    ? finder
    : createSecretFinder(known.map(({ kind, text }) => ({ kind, text: toLatin1(text) })));

  return {
    text(text, onRedacted = ignore) {
      const stripped = stripEscapes(text);
      if (!secrets || !finder.mayHold(stripped)) return stripped;
      const stream = new RedactingStream(finder, onRedacted);
      return stream.push(stripped) + stream.end();
    },

    stream(onRedacted = ignore) {
      const escapes = new EscapeFilter();
      const redacting = secrets ? new RedactingStream(byteFinder, onRedacted) : undefined;
      return {
        push(chunk) {
          const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
          if (bytes.byteLength >= largeChunk && escapes.passes(bytes) && (redacting?.passes(bytes) ?? true))
            return chunk;
          const piece = bytes.toString("latin1");
          const stripped = escapes.push(piece);
          const cleaned = redacting === undefined ? stripped : redacting.push(stripped);
          // The usual case: nothing to take out, so the bytes need not be copied.
          return cleaned === piece ? chunk : Buffer.from(cleaned, "latin1");
        },
        end() {
          const last = escapes.end();
          return Buffer.from(redacting === undefined ? last : redacting.push(last) + redacting.end(), "latin1");
        },
      };
    },
  };
}

function stripEscapes(text: string): string {
  return text.includes("\u001b") || text.includes("\u009b") ? stripVTControlCharacters(text) : text;
}

function toLatin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function ignore(): void {}

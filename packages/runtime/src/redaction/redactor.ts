import { stripVTControlCharacters } from "node:util";
import { EscapeFilter } from "./escape-filter.js";
import type { KnownSecret } from "./known-secrets.js";
import { type OnRedacted, RedactingStream } from "./redacting-stream.js";
import { createSecretFinder, type SecretFinder } from "./secret-finder.js";

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
  /** From here on these are secrets too, also in streams that are under way. */
  learn(more: readonly KnownSecret[]): void;
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
  let all = [...known];
  let finders = createFinders(all);
  const finder = followingFinder(() => finders.text);
  const byteFinder = followingFinder(() => finders.bytes);

  return {
    learn(more) {
      const fresh = more.filter(({ text }) => !all.some((each) => each.text === text));
      if (fresh.length === 0) return;
      // The longest first: a secret that begins with another is taken whole.
      all = [...all, ...fresh].sort((one, other) => other.text.length - one.text.length);
      finders = createFinders(all);
    },

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

interface Finders {
  text: SecretFinder;
  bytes: SecretFinder;
}

function createFinders(known: readonly KnownSecret[]): Finders {
  const text = createSecretFinder(known);
  // Streams are read as Latin-1, a character a byte, so that nothing depends on where their chunks end.
  const isAscii = known.every((secret) => /^[\0-\x7f]*$/.test(secret.text));
  const bytes = isAscii
    ? text
    : createSecretFinder(known.map((secret) => ({ kind: secret.kind, text: toLatin1(secret.text) })));
  return { text, bytes };
}

/** A finder that knows what is known by the time it is asked. */
function followingFinder(current: () => SecretFinder): SecretFinder {
  return {
    get longest() {
      return current().longest;
    },
    mayHold: (text) => current().mayHold(text),
    mayHoldBytes: (bytes) => current().mayHoldBytes(bytes),
    next: (text, from) => current().next(text, from),
    after: (candidate) => current().after(candidate),
    openLength: (text) => current().openLength(text),
  };
}

function stripEscapes(text: string): string {
  return text.includes("\u001b") || text.includes("\u009b") ? stripVTControlCharacters(text) : text;
}

function toLatin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function ignore(): void {}

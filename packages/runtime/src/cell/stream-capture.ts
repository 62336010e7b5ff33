import type { OutputChunk, StreamName } from "@artificer/protocol";
import type { CleanStream } from "../redaction/redactor.js";
import { HeadTail } from "./head-tail.js";
import { MarkerFilter } from "./marker-filter.js";

/** What became of one stream of one cell. */
export interface CapturedStream {
  text: string;
  totalBytes: number;
  keptBytes: number;
  cut: boolean;
  /** The bytes before the cut limit for artifacts was met; present only when `cut`. */
  whole: Uint8Array | undefined;
}

/** Bounds on one stream, in bytes. */
export interface StreamLimits {
  /** Kept in the outcome, head and tail. */
  maxBytes: number;
  /** Kept aside for an artifact once the outcome's share is full. */
  maxArtifactBytes: number;
}

export interface StreamCaptureOptions extends StreamLimits {
  /** Takes out what must be neither stored nor shown. */
  clean: CleanStream;
  onText(chunk: OutputChunk): void;
  /** Somebody reads along: every byte must be told. */
  live: boolean;
}

/** Raw bytes kept before a tail that is cleaned later, so that a secret or an escape that begins before it is seen whole. */
const contextBytes = 32_768;

/**
 * One stream of one cell: cleaned and decoded live, kept head and tail, whole as far as the artifact's bound allows. Beyond that
 * bound, when nobody reads along, only the latest raw bytes are kept and cleaned at the end: a flood costs no more than counting it.
 */
export class StreamCapture {
  readonly filter: MarkerFilter;
  #kept: HeadTail;
  #whole: Uint8Array[] = [];
  readonly #options: StreamCaptureOptions;
  readonly #decoder = new TextDecoder("utf-8");
  readonly #stream: StreamName;
  #wholeBytes = 0;
  #flood: HeadTail | undefined;

  constructor(stream: StreamName, options: StreamCaptureOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#kept = new HeadTail(options.maxBytes);
    this.filter = new MarkerFilter((chunk) => this.#receive(chunk));
  }

  /** Forgets what was written so far, as if the stream began here; who reads along has been told of it already. */
  clear(): void {
    this.#endFlood();
    this.#take(this.#options.clean.end());
    this.#emit(this.#decoder.decode());
    this.#kept = new HeadTail(this.#options.maxBytes);
    this.#whole = [];
    this.#wholeBytes = 0;
  }

  /** Ends the stream: a character cut in two is told as it is, nothing more is taken. */
  finish(): CapturedStream {
    this.filter.release();
    this.#endFlood();
    this.#take(this.#options.clean.end());
    this.#emit(this.#decoder.decode());
    const { head, tail } = this.#kept.parts();
    const cut = this.#kept.cut;
    return {
      text: cut ? joinCut(head, tail, this.#kept.totalBytes) : decode(Buffer.concat([head, tail])),
      totalBytes: this.#kept.totalBytes,
      keptBytes: cut ? head.byteLength + tail.byteLength : this.#kept.totalBytes,
      cut,
      whole: cut ? Buffer.concat(this.#whole) : undefined,
    };
  }

  #receive(chunk: Uint8Array): void {
    if (this.#flood !== undefined) this.#flood.push(chunk);
    else this.#take(this.#options.clean.push(chunk));
  }

  #take(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return;
    this.#kept.push(chunk);
    const { maxArtifactBytes, maxBytes, live } = this.#options;
    const room = maxArtifactBytes - this.#wholeBytes;
    if (room > 0) {
      const piece = chunk.slice(0, room);
      this.#whole.push(piece);
      this.#wholeBytes += piece.byteLength;
    } else if (!live && this.#kept.cut) {
      this.#flood ??= HeadTail.tailOnly(maxBytes + contextBytes);
    }
    this.#emit(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Counts what went by, and cleans what of it is kept. */
  #endFlood(): void {
    const flood = this.#flood;
    this.#flood = undefined;
    if (flood === undefined) return;
    const { tail } = flood.parts();
    const left = flood.totalBytes - tail.byteLength;
    if (left > 0) {
      // With a gap before it, the tail begins anew.
      this.#take(this.#options.clean.end());
      this.#kept.skip(left);
    }
    this.#take(this.#options.clean.push(tail));
  }

  #emit(text: string): void {
    if (text !== "") this.#options.onText({ stream: this.#stream, text });
  }
}

/** Head and tail of a text, and between them how much was left out. */
export function joinCut(head: Uint8Array, tail: Uint8Array, totalBytes: number): string {
  const omitted = totalBytes - head.byteLength - tail.byteLength;
  return `${decode(wholeCharacters(head))}\n[… ${omitted} bytes left out …]\n${decode(fromCharacter(tail))}`;
}

/** Drops a character that the cut split, at the end. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let end = bytes.byteLength;
  for (let back = 1; back <= 3 && back <= bytes.byteLength; back++) {
    const byte = bytes[bytes.byteLength - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      if (needed > back) end = bytes.byteLength - back;
      break;
    }
  }
  return bytes.subarray(0, end);
}

/** Drops the rest of a character that the cut split, at the start. */
function fromCharacter(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && start < bytes.byteLength && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}

import type { OutputChunk, StreamName } from "@artificer/protocol";
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

/** One stream of one cell: decoded live, kept head and tail, whole as far as the artifact's bound allows. */
export class StreamCapture {
  readonly filter: MarkerFilter;
  readonly #kept: HeadTail;
  readonly #whole: Uint8Array[] = [];
  readonly #limits: StreamLimits;
  readonly #decoder = new TextDecoder("utf-8");
  readonly #stream: StreamName;
  readonly #onText: (chunk: OutputChunk) => void;
  #wholeBytes = 0;

  constructor(stream: StreamName, limits: StreamLimits, onText: (chunk: OutputChunk) => void) {
    this.#stream = stream;
    this.#limits = limits;
    this.#onText = onText;
    this.#kept = new HeadTail(limits.maxBytes);
    this.filter = new MarkerFilter((chunk) => this.#take(chunk));
  }

  /** Ends the stream: a character cut in two is told as it is, nothing more is taken. */
  finish(): CapturedStream {
    this.filter.release();
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

  #take(chunk: Uint8Array): void {
    this.#kept.push(chunk);
    const room = this.#limits.maxArtifactBytes - this.#wholeBytes;
    if (room > 0) {
      const piece = chunk.slice(0, room);
      this.#whole.push(piece);
      this.#wholeBytes += piece.byteLength;
    }
    this.#emit(this.#decoder.decode(chunk, { stream: true }));
  }

  #emit(text: string): void {
    if (text !== "") this.#onText({ stream: this.#stream, text });
  }
}

function joinCut(head: Uint8Array, tail: Uint8Array, totalBytes: number): string {
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

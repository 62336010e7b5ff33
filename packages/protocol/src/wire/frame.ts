import { ArtificerError } from "../errors/artificer-error.js";

/** A header of JSON and the bytes beside it, already cut into parts. */
export interface Frame {
  header: unknown;
  parts: Uint8Array[];
}

/** Bounds on one frame, in bytes. A larger one ends the kernel that sent it. */
export interface FrameLimits {
  maxHeaderBytes: number;
  maxBodyBytes: number;
}

export const defaultFrameLimits: FrameLimits = { maxHeaderBytes: 256 * 2 ** 20, maxBodyBytes: 2 ** 30 };

const prefixBytes = 8;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * A frame is: header length and body length (unsigned 32-bit, big endian), the header as UTF-8 JSON, the body.
 * The header's `parts` lists the lengths that the body is cut into. Returned in chunks so that large bytes are not copied.
 */
export function encodeFrame(header: object, parts: readonly Uint8Array[] = []): Uint8Array[] {
  const text = JSON.stringify(parts.length === 0 ? header : { ...header, parts: parts.map((part) => part.byteLength) });
  let bodyBytes = 0;
  for (const part of parts) bodyBytes += part.byteLength;
  // UTF-8 needs at most three bytes for each UTF-16 unit.
  const roomBytes = prefixBytes + text.length * 3;
  const isSmall = roomBytes <= slabBytes;
  const room = isSmall ? roomInSlab(roomBytes) : new Uint8Array(roomBytes);
  const { written } = encoder.encodeInto(text, room.subarray(prefixBytes));
  const head = room.subarray(0, prefixBytes + written);
  if (isSmall) used += head.byteLength;
  writeLength(head, 0, written);
  writeLength(head, 4, bodyBytes);
  return parts.length === 0 ? [head] : [head, ...parts];
}

/** Memory that the heads of small frames are cut from, one after another; none of it is used twice. */
let slab = new Uint8Array(0);
let used = 0;
const slabBytes = 16_384;

function roomInSlab(bytes: number): Uint8Array {
  if (bytes > slab.byteLength - used) {
    slab = new Uint8Array(slabBytes);
    used = 0;
  }
  return slab.subarray(used, used + bytes);
}

function writeLength(bytes: Uint8Array, at: number, length: number): void {
  bytes[at] = length >>> 24;
  bytes[at + 1] = length >>> 16;
  bytes[at + 2] = length >>> 8;
  bytes[at + 3] = length;
}

function readLength(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

/** Cuts a stream of bytes back into frames, whatever the chunks it arrives in. */
export class FrameDecoder {
  readonly #limits: FrameLimits;
  #chunks: Uint8Array[] = [];
  #buffered = 0;

  constructor(limits: FrameLimits = defaultFrameLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a chunk and returns the frames it completes.
   *
   * @throws ArtificerError `wire/bad-frame` or `wire/frame-too-large`; the stream is unusable afterwards.
   */
  push(chunk: Uint8Array): Frame[] {
    if (chunk.byteLength > 0) this.#chunks.push(chunk);
    this.#buffered += chunk.byteLength;
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | undefined {
    if (this.#buffered < prefixBytes) return undefined;
    const prefix = this.#peek(prefixBytes);
    const headerBytes = readLength(prefix, 0);
    const bodyBytes = readLength(prefix, 4);
    this.#check(headerBytes, bodyBytes);
    const total = prefixBytes + headerBytes + bodyBytes;
    if (this.#buffered < total) return undefined;
    const bytes = this.#take(total);
    const header = parseHeader(bytes.subarray(prefixBytes, prefixBytes + headerBytes));
    return { header, parts: cutParts(header, bytes.subarray(prefixBytes + headerBytes)) };
  }

  #check(headerBytes: number, bodyBytes: number): void {
    const { maxHeaderBytes, maxBodyBytes } = this.#limits;
    if (headerBytes <= maxHeaderBytes && bodyBytes <= maxBodyBytes) return;
    throw new ArtificerError("wire/frame-too-large", "A frame on the wire is larger than allowed.", {
      details: { headerBytes, bodyBytes, maxHeaderBytes, maxBodyBytes },
    });
  }

  /** The first bytes without consuming them; joins chunks only when they are split across. */
  #peek(count: number): Uint8Array {
    if (this.#chunks[0]!.byteLength < count) this.#chunks = [concat(this.#chunks, this.#buffered)];
    return this.#chunks[0]!;
  }

  #take(count: number): Uint8Array {
    if (this.#chunks[0]!.byteLength < count) this.#chunks = [concat(this.#chunks, this.#buffered)];
    const first = this.#chunks[0]!;
    this.#buffered -= count;
    if (first.byteLength === count) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(count);
    return first.subarray(0, count);
  }
}

function concat(chunks: Uint8Array[], total: number): Uint8Array {
  const joined = new Uint8Array(total);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return joined;
}

function parseHeader(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw new ArtificerError("wire/bad-frame", "A frame's header is not JSON.", { cause });
  }
}

const none: readonly number[] = [];

function cutParts(header: unknown, body: Uint8Array): Uint8Array[] {
  const lengths = (header as { parts?: unknown } | null)?.parts ?? none;
  if (lengths === none && body.byteLength === 0) return [];
  if (!Array.isArray(lengths)) throw new ArtificerError("wire/bad-frame", "A frame's parts are not a list.");
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (const length of lengths) {
    if (!Number.isSafeInteger(length) || length < 0)
      throw new ArtificerError("wire/bad-frame", "A part's length is no length.");
    parts.push(body.subarray(offset, offset + length));
    offset += length;
  }
  if (offset !== body.byteLength)
    throw new ArtificerError("wire/bad-frame", "A frame's parts do not add up to its body.");
  return parts;
}

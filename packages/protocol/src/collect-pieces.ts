import { ArtificerError } from "./errors/artificer-error.js";
import { untilAborted } from "./until-aborted.js";

/** A result that comes in pieces: what an async generator or a stream gives, or a generator. */
export type Pieces = AsyncIterable<unknown> | IterableIterator<unknown>;

export interface CollectOptions {
  /** Ends the collecting, and the source with it. */
  signal: AbortSignal;
  /** Whose result it is, for messages. */
  tool: string;
  /** Default 100,000. */
  maxPieces?: number;
  /** Of texts and bytes together, in UTF-16 units and bytes. Default 256 MiB. */
  maxSize?: number;
}

/** Lists, maps and their kind are values; an iterator is a promise of some. */
export function isPieces(result: unknown): result is Pieces {
  if (typeof result !== "object" || result === null) return false;
  if (typeof (result as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function") return true;
  const { next, [Symbol.iterator]: iterate } = result as Partial<IterableIterator<unknown>>;
  return typeof next === "function" && typeof iterate === "function";
}

/**
 * All pieces as one value: a list, or bytes when every piece is bytes. The source is told to end when too much has come or
 * nobody waits any more.
 *
 * @throws ArtificerError `tool/result-too-large`; whatever the source throws; the signal's reason.
 */
export async function collectPieces(pieces: Pieces, options: CollectOptions): Promise<unknown> {
  const { signal, tool, maxPieces = 100_000, maxSize = 256 * 2 ** 20 } = options;
  const got: unknown[] = [];
  let size = 0;
  for await (const piece of untilAborted(isAsync(pieces) ? pieces : walk(pieces), signal)) {
    got.push(piece);
    size += sizeOf(piece);
    if (got.length > maxPieces || size > maxSize) throw tooLarge(tool, got.length, { maxPieces, maxSize });
  }
  return joined(got);
}

function isAsync(pieces: Pieces): pieces is AsyncIterable<unknown> {
  return Symbol.asyncIterator in pieces;
}

async function* walk(pieces: Iterable<unknown>): AsyncGenerator<unknown> {
  yield* pieces;
}

function joined(pieces: unknown[]): unknown {
  if (pieces.length === 0 || !pieces.every((piece) => piece instanceof Uint8Array)) return pieces;
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

function sizeOf(piece: unknown): number {
  if (typeof piece === "string") return piece.length;
  return piece instanceof Uint8Array ? piece.byteLength : 0;
}

function tooLarge(tool: string, pieces: number, bounds: { maxPieces: number; maxSize: number }): ArtificerError {
  return new ArtificerError(
    "tool/result-too-large",
    `${tool} went on giving pieces beyond ${bounds.maxPieces} of them or ${bounds.maxSize} bytes of text; it was ended after ${pieces}.`,
    { details: { tool, pieces, ...bounds }, hint: "Ask for less: a limit, a page, a filter." },
  );
}

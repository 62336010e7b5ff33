import { ArtificerError } from "./errors/artificer-error.js";
import type { StorageKey } from "./storage.js";
import { untilAborted } from "./until-aborted.js";

/**
 * What a blob's writer was given, as chunks of bytes, until `signal` fires.
 *
 * @throws ArtificerError `usage/invalid-argument` when something else than bytes comes; what the source throws comes through untouched.
 */
export async function* byteChunks(
  key: StorageKey,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  if (bytes instanceof Uint8Array) {
    yield bytes;
    return;
  }
  if (typeof (bytes as AsyncIterable<Uint8Array> | undefined)?.[Symbol.asyncIterator] !== "function") {
    throw notBytes(key, bytes);
  }
  for await (const chunk of untilAborted(bytes, signal)) {
    if (!(chunk instanceof Uint8Array)) throw notBytes(key, chunk);
    yield chunk;
  }
}

function notBytes(key: StorageKey, given: unknown): ArtificerError {
  return new ArtificerError("usage/invalid-argument", `What is written to ${key} must be bytes, not ${typeof given}.`, {
    details: { key },
    hint: "Give a Uint8Array or an async iterable of them; new TextEncoder().encode(text) makes bytes of text.",
  });
}

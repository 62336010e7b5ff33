import { ArtificerError, type Embedder } from "@artificer/protocol";
import { EncoderThread } from "./encoder-thread.js";

export interface LocalEmbedderOptions {
  /** Texts computed at a time; between two batches an abort is noticed. Default 16. */
  batchSize?: number;
  /** Characters of a text that count; the model itself reads about 128 word pieces. Default 2000. */
  maxChars?: number;
}

const model = "universal-sentence-encoder-lite@energetic-ai-0.2.0";
const dimensions = 512;

/**
 * The model that comes with the install: Universal Sentence Encoder Lite, English, 512 dimensions, run by WebAssembly in a
 * thread of its own. Nothing is loaded before the first text (then about 0.3 s and 200 MB), nothing is ever fetched, and
 * an idle embedder does not keep the process alive.
 *
 * Texts in scripts the model does not know (Chinese, Japanese) all get nearly the same vector: words decide there.
 */
export function createLocalEmbedder(options: LocalEmbedderOptions = {}): Embedder {
  const { batchSize = 16, maxChars = 2000 } = options;
  requirePositive("batchSize", batchSize);
  requirePositive("maxChars", maxChars);
  const thread = new EncoderThread();
  return {
    model,
    dimensions,
    async embed(texts, { signal } = {}) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += batchSize) {
        signal?.throwIfAborted();
        const batch = texts.slice(start, start + batchSize).map((text) => text.slice(0, maxChars));
        const packed = await thread.encode(batch, signal);
        for (let at = 0; at < batch.length; at++) vectors.push(packed.slice(at * dimensions, (at + 1) * dimensions));
      }
      return vectors;
    },
    close: () => thread.close(),
  };
}

function requirePositive(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  throw new ArtificerError("usage/invalid-argument", `${field} of the local embedder is ${value}.`, {
    details: { field, value },
    hint: `Give a whole number of 1 or more, or leave ${field} out.`,
  });
}

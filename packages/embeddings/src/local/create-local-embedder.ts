import { ArtificerError, type Embedder } from "@artificer/protocol";
import { EncoderThread } from "./encoder-thread.js";

export interface LocalEmbedderOptions {
  /** Texts computed at a time; between two batches an abort is noticed. Default 16. */
  batchSize?: number;
  /** Characters of a text that count; the model itself reads about 128 word pieces. Default 2000. */
  maxChars?: number;
}

// Names what goes into a vector, the wording of `asRequest` included: change it whenever that changes.
const model = "universal-sentence-encoder-lite@energetic-ai-0.2.0+request";
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
    async embed(texts, { role, signal } = {}) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += batchSize) {
        signal?.throwIfAborted();
        const batch = texts
          .slice(start, start + batchSize)
          .map((text) => (role === "document" ? asRequest(text.slice(0, maxChars)) : text.slice(0, maxChars)));
        const packed = await thread.encode(batch, signal);
        for (let at = 0; at < batch.length; at++) vectors.push(packed.slice(at * dimensions, (at + 1) * dimensions));
      }
      return vectors;
    },
    close: () => thread.close(),
  };
}

/**
 * This model puts two questions nearer to each other than a question and a statement, whatever they are about, and what
 * is looked for is mostly asked for. Worded as a request itself, a description is found markedly better.
 */
function asRequest(description: string): string {
  return `Can you help me with this: ${description.replace(/[\s.!?]+$/, "")}?`;
}

function requirePositive(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  throw new ArtificerError("usage/invalid-argument", `${field} of the local embedder is ${value}.`, {
    details: { field, value },
    hint: `Give a whole number of 1 or more, or leave ${field} out.`,
  });
}

import { createHash } from "node:crypto";
import { ArtificerError, type Embedder } from "@artificer/protocol";

/** Words that mean the same to this embedder. */
const synonyms = [
  ["licence", "license", "legal", "terms"],
  ["picture", "image", "photo", "photograph"],
  ["weather", "forecast", "rain"],
  ["money", "invoice", "bill", "payment"],
];

/**
 * A small, real embedder: the sum of one fixed direction a word, the same for synonyms. Counts the texts it embedded, and
 * can be told to fail.
 */
export function createWordEmbedder(options: { model?: string; dimensions?: number } = {}): Embedder & {
  embedded: string[];
  failing: boolean;
} {
  const { model = "words-1", dimensions = 64 } = options;
  const embedder = {
    model,
    dimensions,
    embedded: [] as string[],
    failing: false,
    async embed(texts: readonly string[], { signal }: { signal?: AbortSignal } = {}) {
      signal?.throwIfAborted();
      if (embedder.failing) throw new ArtificerError("embedder/unavailable", "The model is on holiday.");
      embedder.embedded.push(...texts);
      return texts.map((text) => vectorOf(text, dimensions));
    },
  };
  return embedder;
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  sum[0] = 0.01;
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    const direction = synonyms.find((group) => group.some((member) => word.startsWith(member)))?.[0] ?? word;
    const bytes = createHash("sha512").update(direction).digest();
    for (let at = 0; at < dimensions; at++) sum[at]! += bytes[at % bytes.length]! / 127.5 - 1;
  }
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

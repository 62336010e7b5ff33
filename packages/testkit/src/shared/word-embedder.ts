import { createHash } from "node:crypto";
import type { Embedder } from "@artificer/protocol";

/** A small embedder that needs no model: one fixed direction a word. It says what it embedded, and takes its time for it. */
export function createWordEmbedder(pauseMs = 0): Embedder & { readonly embedded: string[] } {
  const dimensions = 64;
  const embedded: string[] = [];
  return {
    model: "words-for-tests",
    dimensions,
    embedded,
    async embed(texts) {
      embedded.push(...texts);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return texts.map((text) => {
        const sum = new Float32Array(dimensions);
        for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
          const bytes = createHash("sha512").update(word).digest();
          for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] ?? 0) + (bytes[at] ?? 0) / 127.5 - 1;
        }
        const length = Math.hypot(...sum) || 1;
        return sum.map((value) => value / length);
      });
    },
  };
}

import type { TermWeights, WordIndex } from "../../src/search/word-index.js";

const k1 = 1.2;
const b = 0.7;

/** BM25 written with maps, as one reads it in a book: what the fast one must agree with to the last bit. */
export function createPlainWordIndex(): WordIndex {
  const postings = new Map<string, Map<number, number>>();
  const documents = new Map<number, { terms: TermWeights; length: number }>();
  let totalLength = 0;

  function remove(slot: number): void {
    const document = documents.get(slot);
    if (document === undefined) return;
    documents.delete(slot);
    totalLength -= document.length;
    for (const term of document.terms.keys()) {
      const posting = postings.get(term);
      posting?.delete(slot);
      if (posting?.size === 0) postings.delete(term);
    }
  }

  return {
    remove,
    put(slot, terms) {
      remove(slot);
      let length = 0;
      for (const [term, weight] of terms) {
        length += weight;
        const posting = postings.get(term) ?? new Map<number, number>();
        postings.set(term, posting.set(slot, weight));
      }
      documents.set(slot, { terms: new Map(terms), length });
      totalLength += length;
    },
    score(terms, slots) {
      const scores = new Float32Array(slots);
      const unit = 1 / Math.log(1 + documents.size);
      const averageLength = totalLength / documents.size || 1;
      for (const [term, share] of terms) {
        const posting = postings.get(term) ?? new Map<number, number>();
        const rarity = share * unit * Math.log(1 + (documents.size - posting.size + 0.5) / (posting.size + 0.5));
        for (const [slot, weight] of posting) {
          const length = documents.get(slot)!.length / averageLength;
          scores[slot]! += (rarity * weight * (k1 + 1)) / (weight + k1 * (1 - b + b * length));
        }
      }
      return scores;
    },
  };
}

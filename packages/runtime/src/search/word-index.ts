import { createPosting, type Posting } from "./posting.js";

/** Terms with how much each counts: how often it was written, less for a learned word or one that says little. */
export type TermWeights = ReadonlyMap<string, number>;

/** BM25 over documents known by slot numbers. */
export interface WordIndex {
  put(slot: number, terms: TermWeights): void;
  remove(slot: number): void;
  /**
   * @param terms different query terms, with how much each counts.
   * @param slots how many slots there are.
   * @returns BM25 a slot, in units of what a term is worth that occurs in one document only: about 1 for one rare word.
   */
  score(terms: TermWeights, slots: number): Float32Array;
}

// The usual saturation and length normalisation of BM25.
const k1 = 1.2;
const b = 0.7;

/** A document's terms, and where it stands in the posting of each. */
interface Entry {
  postings: Posting[];
  places: Int32Array;
}

/**
 * An inverted index in memory. General engines build a result object for every match, which takes tens of
 * milliseconds among 10,000 documents; adding numbers of one array into another takes a fraction of one.
 */
export function createWordIndex(): WordIndex {
  const postings = new Map<string, Posting>();
  const entries = new Map<number, Entry>();
  let lengths = new Float64Array(64);
  let totalLength = 0;

  function remove(slot: number): void {
    const entry = entries.get(slot);
    if (entry === undefined) return;
    entries.delete(slot);
    totalLength -= lengths[slot]!;
    for (const [at, posting] of entry.postings.entries()) {
      const moved = posting.remove(entry.places[at]!);
      if (moved !== undefined) entries.get(moved.slot)!.places[moved.at] = entry.places[at]!;
      if (posting.size === 0) postings.delete(posting.term);
    }
  }

  function postingOf(term: string): Posting {
    const known = postings.get(term) ?? createPosting(term);
    postings.set(term, known);
    return known;
  }

  return {
    remove,
    put(slot, terms) {
      remove(slot);
      const entry: Entry = { postings: [], places: new Int32Array(terms.size) };
      let length = 0;
      for (const [term, weight] of terms) {
        length += weight;
        const posting = postingOf(term);
        const at = entry.postings.push(posting) - 1;
        entry.places[at] = posting.add({ slot, at }, weight);
      }
      entries.set(slot, entry);
      lengths = withRoom(lengths, slot);
      lengths[slot] = length;
      totalLength += length;
    },
    score(terms, slots) {
      const scores = new Float32Array(slots);
      // In a larger collection every term is worth more; without this, words would outweigh meaning there.
      const unit = 1 / Math.log(1 + entries.size);
      const averageLength = totalLength / entries.size || 1;
      for (const [term, share] of terms) {
        const posting = postings.get(term);
        if (posting === undefined) continue;
        const rarity = share * unit * Math.log(1 + (entries.size - posting.size + 0.5) / (posting.size + 0.5));
        addScores(scores, posting, { rarity, lengths, averageLength });
      }
      return scores;
    },
  };
}

interface TermScoring {
  rarity: number;
  lengths: Float64Array;
  averageLength: number;
}

/** A function of its own: it runs once for each document that has a common word, and is compiled well this way. */
function addScores(scores: Float32Array, posting: Posting, { rarity, lengths, averageLength }: TermScoring): void {
  const { slots, weights, size } = posting;
  for (let at = 0; at < size; at++) {
    const slot = slots[at]!;
    const weight = weights[at]!;
    const length = lengths[slot]! / averageLength;
    scores[slot]! += (rarity * weight * (k1 + 1)) / (weight + k1 * (1 - b + b * length));
  }
}

function withRoom(lengths: Float64Array<ArrayBuffer>, slot: number): Float64Array<ArrayBuffer> {
  if (slot < lengths.length) return lengths;
  const larger = new Float64Array(Math.max(slot + 1, 2 * lengths.length));
  larger.set(lengths);
  return larger;
}

import { expect, test } from "vitest";
import { createCorpus } from "../../src/search/corpus.js";
import type { LearnedQuery } from "../../src/search/learned-queries.js";
import type { SearchDocument } from "../../src/search/search-index.js";
import { createWordIndex } from "../../src/search/word-index.js";
import { rankPlainly } from "./plain-ranking.js";
import { createPlainWordIndex } from "./plain-word-index.js";

const dimensions = 12;
const vocabulary = Array.from({ length: 60 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}${at}x`);

/** The same numbers from the same seed, from 0 to below 1. */
function createRandom(seed: number) {
  let state = seed + 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  // Common words come up far more often than rare ones, as in a language.
  const word = () => vocabulary[Math.floor(next() ** 3 * vocabulary.length)]!;
  const text = (most: number) => Array.from({ length: 1 + below(most) }, word).join(" ");
  const vector = () => {
    const values = Float32Array.from({ length: dimensions }, () => next() - 0.5);
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  };
  return { below, text, vector };
}

test.each([1, 2, 3, 4, 5])(
  "Scores by words are to the last bit those of the plain formula, whatever was put and removed before: seed %i.",
  (seed) => {
    const { below, text } = createRandom(seed);
    const [fast, plain] = [createWordIndex(), createPlainWordIndex()];
    const slots = 300;
    const terms = (most: number) =>
      new Map(
        text(most)
          .split(" ")
          .map((term) => [term, [1, 0.3, 2, 1.6][below(4)]!]),
      );
    for (let step = 0; step < 2_000; step++) {
      const slot = below(slots);
      if (below(4) === 0) for (const index of [fast, plain]) index.remove(slot);
      else {
        const put = terms(12);
        for (const index of [fast, plain]) index.put(slot, put);
      }
      if (step % 50 !== 0) continue;
      const query = terms(6);
      expect(fast.score(query, slots)).toEqual(plain.score(query, slots));
    }
  },
);

test.each([1, 2, 3, 4, 5])(
  "Hits and their scores are those of the plain formula, whatever was changed, dropped and learned before: seed %i.",
  (seed) => {
    const { below, text, vector } = createRandom(seed);
    const corpus = createCorpus();
    const vectors = new Map<string, Float32Array>();
    const learned = new Map<string, LearnedQuery[]>();
    let documents: SearchDocument[] = [];
    // Some texts never get a vector, as when an embedder failed.
    const embed = (role: "document" | "query", texts: readonly string[]) => {
      const fresh = texts
        .filter((each) => !each.endsWith(vocabulary[1]!))
        .map((each) => [each, vectors.get(each) ?? vector()] as const);
      for (const [each, made] of fresh) vectors.set(each, made);
      corpus.setVectors(role, new Map(fresh));
    };
    for (let round = 0; round < 12; round++) {
      const kept = documents.filter(() => below(5) > 0);
      const added = Array.from({ length: 40 + below(40) }, (_, n): SearchDocument => {
        // Few different texts at times, so that scores are equal and ids decide.
        const [what, words] = [text(round % 3 === 0 ? 1 : 10), text(3)];
        return { id: `skill_${round}_${n}`, text: what, words, hash: `${what}|${words}` };
      });
      documents = [...kept, ...added];
      corpus.replace(documents);
      for (let n = 0; n < 15; n++) {
        const { id } = documents[below(documents.length)]!;
        learned.set(id, [...(learned.get(id) ?? []), { text: text(5), uses: 1 }].slice(-4));
        corpus.learn(id, learned.get(id)!);
      }
      embed("document", corpus.textsToEmbed());
      embed("query", corpus.queriesToEmbed());
      for (const limit of [1, 10, 30]) {
        const [query, asked] = [text(5), below(4) === 0 ? undefined : vector()];
        const hits = corpus.rank(query, asked, { limit });
        const plain = rankPlainly({ documents, learned, vectors }, query, asked, limit);
        expect(hits.map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
        for (const [at, { score }] of hits.entries()) expect(score).toBeCloseTo(plain[at]!.score, 5);
      }
    }
  },
);

/** How much each kind of evidence counts, tuned on requests whose right tool is known (see the retrieval benchmark). */
export const rankingWeights = {
  /** Share of a document's own vector in its meaning; the rest is what use has taught. */
  own: 0.25,
  /** Of that rest, the part that the learned queries nearest to this one decide. */
  nearest: 0.35,
  /** A document's own vector against one learned query, in the vector that stands for both. */
  ownInCentroid: 2,
  /** BM25 over the best BM25. */
  word: 0.15,
  /** The same again, times the share of query terms that matched. */
  coverage: 0.1,
  /** A word of a learned query against one of the document itself. */
  learnedWord: 0.3,
};

/**
 * How much each kind of evidence counts, tuned on requests whose right tool is known (see the retrieval benchmark). BM25 as it
 * is did better than BM25 over the best BM25, gated by the share of matched terms: the best of a poor lot is not worth a lot.
 */
export const rankingWeights = {
  /** Share of a document's own vector in its meaning; the rest is what use has taught. */
  own: 0.2,
  /** Of that rest, the part that the learned queries nearest to this one decide. */
  nearest: 0.35,
  /** A document's own vector against one learned query, in the vector that stands for both. */
  ownInCentroid: 2,
  /** BM25, in units of one rare word. */
  words: 0.17,
  /** A query's word that comes up in requests of any kind, against another. */
  requestWord: 0.5,
  /** A word of a learned query against one of the document itself. */
  learnedWord: 0.3,
};

import { rankingWeights as weights } from "./ranking-weights.js";

/** The mean cosine of the query with the two learned queries most like it. */
export function nearest(vector: Float32Array, learned: readonly Float32Array[]): number {
  let first = -1;
  let second = -1;
  for (const other of learned) {
    let cosine = 0;
    for (let at = 0; at < vector.length; at++) cosine += vector[at]! * other[at]!;
    if (cosine > first) [first, second] = [cosine, first];
    else if (cosine > second) second = cosine;
  }
  return learned.length === 1 ? first : (first + second) / 2;
}

/** The direction between a document's vector and those of the queries that led to it. */
export function centroid(own: Float32Array, learned: readonly Float32Array[]): Float32Array {
  const sum = own.map((value) => value * weights.ownInCentroid);
  for (const vector of learned) for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]!;
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1;
  return sum.map((value) => value / length);
}

/** Seeded numbers from 0 to 1: the same in each run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // A linear congruence by Numerical Recipes; its upper bits are good enough for directions.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Unit vectors as embeddings are: many around few subjects, with noise. A search among even noise would be harder than any text.
 */
export function unitVectors(count: number, dimensions: number, seed = 1): Float32Array[] {
  const random = seededRandom(seed);
  const direction = () => Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5);
  const subjects = Array.from({ length: Math.max(1, count >> 6) }, direction);
  return Array.from({ length: count }, () => {
    const subject = subjects[Math.floor(random() * subjects.length)] as Float32Array;
    const noise = direction();
    return unitVector(subject.map((value, at) => value + (noise[at] as number)));
  });
}

/** The same direction with the length 1. */
export function unitVector(values: Iterable<number>): Float32Array {
  const vector = Float32Array.from(values);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

export function cosineOf(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += (left[at] as number) * (right[at] as number);
  return sum;
}

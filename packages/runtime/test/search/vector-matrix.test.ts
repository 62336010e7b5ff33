import { expect, test } from "vitest";
import { createVectorMatrix } from "../../src/search/vector-matrix.js";

test.each([
  [1, 1],
  [2, 3],
  [7, 5],
  [64, 200],
  [65, 131],
])("A scan over vectors of %i dimensions gives the cosine with each of %i rows.", (dimensions, count) => {
  const vector = (seed: number) => Float32Array.from({ length: dimensions }, (_, at) => Math.sin(seed * 7 + at * 3));
  const matrix = createVectorMatrix(dimensions);
  const vectors = Array.from({ length: count }, (_, at) => vector(at));
  expect(vectors.map((each) => matrix.add(each))).toEqual(vectors.map((_, at) => at));
  const query = vector(1000);
  const cosines = matrix.scan(query);
  expect(cosines).toHaveLength(count);
  for (const [at, each] of vectors.entries())
    expect(cosines[at]).toBeCloseTo(
      each.reduce((sum, value, index) => sum + value * query[index]!, 0),
      4,
    );
});

test("A freed row is used again.", () => {
  const matrix = createVectorMatrix(2);
  matrix.add(Float32Array.of(1, 0));
  const row = matrix.add(Float32Array.of(1, 0));
  matrix.free(row);
  expect(matrix.add(Float32Array.of(0, 1))).toBe(row);
  expect([...matrix.scan(Float32Array.of(0, 1))]).toEqual([0, 1]);
});

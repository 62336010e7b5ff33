/** Unit vectors in rows of one array, scanned exactly. */
export interface VectorMatrix {
  readonly rows: number;
  /** @returns its row. */
  add(vector: Float32Array): number;
  /** Frees a row for another vector; its values must not be used any more. */
  free(row: number): void;
  /** The cosine of the query with every row, free ones included. */
  scan(query: Float32Array): Float32Array;
}

export function createVectorMatrix(dimensions: number): VectorMatrix {
  let values = new Float32Array(64 * dimensions);
  let rows = 0;
  const free: number[] = [];
  return {
    get rows() {
      return rows;
    },
    add(vector) {
      const row = free.pop() ?? rows++;
      if (rows * dimensions > values.length) {
        const larger = new Float32Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      values.set(vector, row * dimensions);
      return row;
    },
    free: (row) => void free.push(row),
    scan: (query) => scan(values, query, rows, dimensions),
  };
}

/** Four rows at a time with two sums each: a value of the query is fetched once for four, and no addition waits for the one before. */
function scan(values: Float32Array, query: Float32Array, rows: number, dimensions: number): Float32Array {
  const cosines = new Float32Array(rows);
  const even = dimensions - (dimensions % 2);
  const grouped = rows - (rows % 4);
  for (let row = 0; row < grouped; row += 4) {
    const a = row * dimensions;
    const b = a + dimensions;
    const c = b + dimensions;
    const d = c + dimensions;
    let a0 = 0;
    let a1 = 0;
    let b0 = 0;
    let b1 = 0;
    let c0 = 0;
    let c1 = 0;
    let d0 = 0;
    let d1 = 0;
    for (let at = 0; at < even; at += 2) {
      const x = query[at]!;
      const y = query[at + 1]!;
      a0 += values[a + at]! * x;
      b0 += values[b + at]! * x;
      c0 += values[c + at]! * x;
      d0 += values[d + at]! * x;
      a1 += values[a + at + 1]! * y;
      b1 += values[b + at + 1]! * y;
      c1 += values[c + at + 1]! * y;
      d1 += values[d + at + 1]! * y;
    }
    cosines[row] = a0 + a1;
    cosines[row + 1] = b0 + b1;
    cosines[row + 2] = c0 + c1;
    cosines[row + 3] = d0 + d1;
  }
  for (let row = grouped; row < rows; row++)
    for (let at = 0; at < even; at++) cosines[row]! += values[row * dimensions + at]! * query[at]!;
  if (even < dimensions)
    for (let row = 0; row < rows; row++) cosines[row]! += values[row * dimensions + even]! * query[even]!;
  return cosines;
}

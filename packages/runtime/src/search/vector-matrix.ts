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

/** Eight sums side by side, so that no addition waits for the one before it. */
function scan(values: Float32Array, query: Float32Array, rows: number, dimensions: number): Float32Array {
  const cosines = new Float32Array(rows);
  const unrolled = dimensions - (dimensions % 8);
  for (let row = 0; row < rows; row++) {
    const start = row * dimensions;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let s4 = 0;
    let s5 = 0;
    let s6 = 0;
    let s7 = 0;
    for (let at = 0; at < unrolled; at += 8) {
      const from = start + at;
      s0 += values[from]! * query[at]!;
      s1 += values[from + 1]! * query[at + 1]!;
      s2 += values[from + 2]! * query[at + 2]!;
      s3 += values[from + 3]! * query[at + 3]!;
      s4 += values[from + 4]! * query[at + 4]!;
      s5 += values[from + 5]! * query[at + 5]!;
      s6 += values[from + 6]! * query[at + 6]!;
      s7 += values[from + 7]! * query[at + 7]!;
    }
    let sum = s0 + s1 + (s2 + s3) + (s4 + s5 + (s6 + s7));
    for (let at = unrolled; at < dimensions; at++) sum += values[start + at]! * query[at]!;
    cosines[row] = sum;
  }
  return cosines;
}

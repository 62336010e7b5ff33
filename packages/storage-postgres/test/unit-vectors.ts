import { createHash } from "node:crypto";

/** The unit vector along one axis. */
export function axis(at: number, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[at] = 1;
  return vector;
}

/** Unit vectors in all directions, the same in each run. */
export function unitVectors(count: number, dimensions: number): Float32Array[] {
  return Array.from({ length: count }, (_, at) => directionOf(String(at), dimensions));
}

function directionOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (let from = 0; from < dimensions; from += 64) {
    const bytes = createHash("sha512").update(`${from} ${text}`).digest();
    for (let at = from; at < Math.min(from + 64, dimensions); at++) vector[at] = (bytes[at - from] ?? 0) / 127.5 - 1;
  }
  return unit(vector);
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / length);
}

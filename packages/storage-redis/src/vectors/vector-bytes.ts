/** The numbers as the server takes and gives them, 32 bits each, little-endian. */
export function bytesOfVector(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (let at = 0; at < vector.length; at++) bytes.writeFloatLE(vector[at]!, at * 4);
  return bytes;
}

/** @param length what each number is multiplied by */
export function vectorOfBytes(bytes: Buffer, length: number): Float32Array {
  const vector = new Float32Array(bytes.byteLength / 4);
  for (let at = 0; at < vector.length; at++) vector[at] = bytes.readFloatLE(at * 4) * length;
  return vector;
}

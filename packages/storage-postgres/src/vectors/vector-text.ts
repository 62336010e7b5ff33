/** A vector as the extension reads it. Nine digits tell any two 32-bit floats apart. */
export function vectorText(vector: Float32Array): string {
  let text = "[";
  for (let at = 0; at < vector.length; at++) text += (at === 0 ? "" : ",") + Number(vector[at]!.toPrecision(9));
  return `${text}]`;
}

/** The bytes that `vector_send` gives: how many numbers (16 bits), nothing (16 bits), the numbers; the greater byte first. */
export function vectorOfBytes(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(view.getUint16(0));
  for (let at = 0; at < vector.length; at++) vector[at] = view.getFloat32(4 + at * 4);
  return vector;
}

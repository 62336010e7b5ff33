import { createHash } from "node:crypto";

/*
 * A segment is: "AVEC", version, dimensions and count (unsigned 32-bit, little endian); the keys, 16 bytes each; the vectors,
 * 32-bit floats, little endian; and the first 32 bytes of SHA-256 over all of that.
 */
const magic = 0x43455641;
const version = 1;
const headBytes = 16;
const keyBytes = 16;
const sumBytes = 32;

/** The name a text's vector is stored under: 32 hexadecimal digits that change with the text. */
export function vectorKey(text: string): string {
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, keyBytes * 2);
}

/** Packs vectors into the bytes of one blob. The same vectors in the same order give the same bytes. */
export function encodeSegment(vectors: ReadonlyMap<string, Float32Array>, dimensions: number): Uint8Array {
  const bytes = new Uint8Array(segmentBytes(vectors.size, dimensions));
  const view = new DataView(bytes.buffer);
  [magic, version, dimensions, vectors.size].forEach((field, at) => void view.setUint32(at * 4, field, true));
  let row = 0;
  for (const [key, vector] of vectors) {
    bytes.set(Buffer.from(key, "hex"), headBytes + row * keyBytes);
    const start = headBytes + vectors.size * keyBytes + row * dimensions * 4;
    for (let at = 0; at < dimensions; at++) view.setFloat32(start + at * 4, vector[at]!, true);
    row++;
  }
  bytes.set(checksum(bytes), bytes.length - sumBytes);
  return bytes;
}

/** Unpacks them again; undefined when the bytes are no whole segment of such vectors. */
export function decodeSegment(bytes: Uint8Array, dimensions: number): Map<string, Float32Array> | undefined {
  if (bytes.length < headBytes + sumBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [isMagic, isVersion, isDimensions] = [magic, version, dimensions].map(
    (field, at) => view.getUint32(at * 4, true) === field,
  );
  const count = view.getUint32(12, true);
  if (!isMagic || !isVersion || !isDimensions || bytes.length !== segmentBytes(count, dimensions)) return undefined;
  if (Buffer.compare(checksum(bytes), bytes.subarray(bytes.length - sumBytes)) !== 0) return undefined;
  const vectors = new Map<string, Float32Array>();
  for (let row = 0; row < count; row++) {
    const keyStart = headBytes + row * keyBytes;
    const key = Buffer.from(bytes.subarray(keyStart, keyStart + keyBytes)).toString("hex");
    const start = headBytes + count * keyBytes + row * dimensions * 4;
    const vector = new Float32Array(dimensions);
    for (let at = 0; at < dimensions; at++) vector[at] = view.getFloat32(start + at * 4, true);
    vectors.set(key, vector);
  }
  return vectors;
}

function segmentBytes(count: number, dimensions: number): number {
  return headBytes + count * (keyBytes + dimensions * 4) + sumBytes;
}

function checksum(bytes: Uint8Array): Uint8Array {
  return createHash("sha256")
    .update(bytes.subarray(0, bytes.length - sumBytes))
    .digest();
}

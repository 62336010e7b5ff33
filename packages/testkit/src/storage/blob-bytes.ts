import assert from "node:assert/strict";
import type { Blob, BlobStore } from "@artificer/protocol";

/** All bytes of a blob that must be there. */
export async function blobBytes(blobs: BlobStore, key: string): Promise<Uint8Array> {
  const blob = await blobs.read(key);
  assert.ok(blob, `nothing is stored under ${key}`);
  return drain(blob);
}

/** The blob as text. */
export async function blobText(blobs: BlobStore, key: string): Promise<string> {
  return new TextDecoder().decode(await blobBytes(blobs, key));
}

export async function drain(blob: Blob): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob.bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Text as the bytes that are stored. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

import type { BlobInfo, BlobStore, StorageKey } from "@artificer/protocol";

/** A blob whole, in memory; undefined when there is none. */
export async function readBlob(
  blobs: BlobStore,
  key: StorageKey,
  options: { signal?: AbortSignal } = {},
): Promise<{ info: BlobInfo; bytes: Uint8Array } | undefined> {
  const blob = await blobs.read(key, options);
  if (blob === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob.bytes) chunks.push(chunk);
  return { info: blob.info, bytes: Buffer.concat(chunks) };
}

import type { BlobInfo, BlobStore } from "@artificer/protocol";

/** Every blob under a prefix, page by page. */
export async function listBlobs(
  blobs: BlobStore,
  prefix: string,
  options: { signal?: AbortSignal } = {},
): Promise<BlobInfo[]> {
  const all: BlobInfo[] = [];
  let cursor: string | undefined;
  do {
    const page = await blobs.list(prefix, { ...options, cursor });
    all.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

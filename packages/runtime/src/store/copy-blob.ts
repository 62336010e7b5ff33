import { ArtificerError, type Storage } from "@artificer/protocol";
import { createBlobHash } from "./blob-hash.js";
import type { StoreItem } from "./store-item.js";

/** What an item is in both stores after a copy. */
export interface CopiedItem {
  hash: string;
  fromRevision: string;
  toRevision: string;
}

export interface CopyOptions {
  signal?: AbortSignal;
  onBytes?: (bytes: number) => void;
}

/**
 * Copies one blob with its metadata, streamed.
 *
 * @param target what the other store has; it is replaced only if it still has just that.
 * @throws ArtificerError `storage/conflict` when either changed meanwhile.
 */
export async function copyBlob(
  stores: { from: Storage; to: Storage },
  item: StoreItem,
  target: StoreItem | undefined,
  { signal, onBytes }: CopyOptions = {},
): Promise<CopiedItem> {
  const blob = await stores.from.blobs.read(item.key, { signal });
  if (blob === undefined) throw goneMeanwhile(item.id);
  const { metadata, revision } = blob.info;
  const hash = createBlobHash(metadata);
  const written = await stores.to.blobs.write(item.key, counted(hash.through(blob.bytes), onBytes), {
    metadata,
    ifRevision: target?.revision ?? null,
    signal,
  });
  // Settings are known by their bytes alone: by hand they come without metadata.
  const known = item.kind === "deps" || item.kind === "config" ? item.hash : hash.digest();
  return { hash: known, fromRevision: revision, toRevision: written.revision };
}

export function goneMeanwhile(id: string): ArtificerError {
  return new ArtificerError("storage/conflict", `${id} was deleted meanwhile.`, { details: { id } });
}

async function* counted(bytes: AsyncIterable<Uint8Array>, onBytes: CopyOptions["onBytes"]): AsyncIterable<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk;
    onBytes?.(chunk.byteLength);
  }
}

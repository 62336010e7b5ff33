import type { BlobInfo, Storage } from "@artificer/protocol";
import { listKept } from "./kept-outputs.js";

/** How long and how much of what outcomes can't carry is kept. */
export interface KeptOutputLimits {
  /** Since it was written. */
  maxAgeMs?: number;
  /** Of all sessions together; beyond it the oldest go first. */
  maxTotalBytes?: number;
}

/**
 * Deletes kept outputs that are too old or beyond the quota, and nothing else: what a cell or a host saved itself stays.
 *
 * @returns how many went, and the bytes that they took.
 */
export async function sweepKeptOutputs(
  storage: Storage,
  { maxAgeMs = Number.POSITIVE_INFINITY, maxTotalBytes = Number.POSITIVE_INFINITY }: KeptOutputLimits,
  { signal }: { signal?: AbortSignal } = {},
): Promise<{ deleted: number; bytes: number }> {
  const found: BlobInfo[] = [];
  for await (const info of listKept(storage, { signal })) found.push(info);
  const newestFirst = found.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  const oldest = Date.now() - maxAgeMs;
  const swept = { deleted: 0, bytes: 0 };
  let total = 0;
  for (const { key, size, updatedAt } of newestFirst) {
    total += size;
    if (updatedAt.getTime() >= oldest && total <= maxTotalBytes) continue;
    signal?.throwIfAborted();
    if (await storage.blobs.delete(key, { signal })) {
      swept.deleted++;
      swept.bytes += size;
    }
  }
  return swept;
}

import { ArtificerError } from "./errors/artificer-error.js";
import type { Lease, StorageKey } from "./storage.js";
import { storageKey } from "./storage-key.js";

/** @returns the lease. @throws ArtificerError `usage/invalid-argument`, `storage/invalid-key` when it can't be one. */
export function checkedFence({ key, token }: Lease): Lease {
  if (Number.isSafeInteger(token) && token >= 1) return { key: storageKey(key), token };
  throw new ArtificerError(
    "usage/invalid-argument",
    `The token of \`fence\` must be a whole number from 1, as a lease has it, not ${String(token)}.`,
    { details: { field: "fence", token: String(token) } },
  );
}

/**
 * The compare of a write under a lease, the same for every driver. `newest` is the token of the last holding, undefined when there was none.
 *
 * @throws ArtificerError `storage/fenced`
 */
export function checkFence(key: StorageKey, fence: Lease, newest: number | undefined): void {
  if (newest === undefined || newest <= fence.token) return;
  throw new ArtificerError(
    "storage/fenced",
    `${key} was not changed: ${fence.key} was held with the token ${fence.token}, and by another since.`,
    {
      details: { key, lease: fence.key, token: fence.token, newest },
      hint: "Stop what was done under the lease, and acquire it anew before doing more.",
    },
  );
}

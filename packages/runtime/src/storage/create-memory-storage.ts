import { ArtificerError, type Storage } from "@artificer/protocol";
import { createMemoryBlobs } from "./memory-blobs.js";
import { createMemoryChanges } from "./memory-changes.js";
import { createMemoryLeases } from "./memory-leases.js";
import { createMemoryRecords } from "./memory-records.js";
import { createMemoryVectors } from "./memory-vectors.js";

/** Storage that ends with the process: the reference for the contract, and what a session has when it is given none. */
export function createMemoryStorage(): Storage {
  let closed = false;
  let writes = 0;
  const ready = (signal: AbortSignal | undefined) => {
    if (closed) throw new ArtificerError("storage/closed", "The memory storage is closed.");
    signal?.throwIfAborted();
  };
  // One count for all keys, so that a key deleted and written again never has a revision it had before.
  const nextRevision = () => `m${++writes}`;
  const changes = createMemoryChanges(ready);
  const leases = createMemoryLeases(ready);
  const base = { ready, nextRevision, changed: changes.changed };
  return {
    kind: "memory",
    capabilities: { vectors: true, leases: true, watch: true, durable: false },
    records: createMemoryRecords(base, leases.newestToken),
    blobs: createMemoryBlobs(base),
    leases: leases.store,
    watch: changes.feed,
    vectors: createMemoryVectors(ready),
    async close() {
      closed = true;
    },
  };
}

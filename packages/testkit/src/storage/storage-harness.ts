import type { Storage, StorageCapabilities } from "@artificer/protocol";

/** A fresh, empty, isolated storage for one case. */
export interface StorageHarness {
  storage: Storage;
  /** Opens the same data a second time, as another process would. Required of a storage that declares `durable`; others leave it out. */
  reopen?: () => Promise<Storage>;
  /** Closes the storage and removes its data. */
  close(): Promise<void>;
}

/** One requirement of the storage contract and how to see that it holds. `run` throws when it doesn't. */
export interface StorageCase {
  /** Stable, e.g. `storage.records.stale-revision`. */
  id: string;
  /** What holds, as a sentence. */
  title: string;
  /** Milliseconds it may take on a slow machine; 120,000 when absent. */
  timeoutMs?: number;
  /** What a storage must declare for the case to say anything of it. A runner of tests tells that it is skipped elsewhere. */
  needs?: keyof StorageCapabilities;
  run(harness: StorageHarness): Promise<void>;
}

import type { Storage } from "@artificer/protocol";
import type { StorageHarness } from "./storage-harness.js";

/** Two openings of one storage where there can be two. */
export async function withOther(harness: StorageHarness, run: (other: Storage) => Promise<void>): Promise<void> {
  const other = await harness.reopen?.();
  try {
    await run(other ?? harness.storage);
  } finally {
    await other?.close();
  }
}

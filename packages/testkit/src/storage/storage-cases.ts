import { blobCases } from "./blob-cases.js";
import { blobStreamCases } from "./blob-stream-cases.js";
import { fenceCases } from "./fence-cases.js";
import { keyCases } from "./key-cases.js";
import { leaseCases } from "./lease-cases.js";
import { lifeCycleCases } from "./life-cycle-cases.js";
import { listingCases } from "./listing-cases.js";
import { recordCases } from "./record-cases.js";
import type { StorageCase } from "./storage-harness.js";
import { vectorCases } from "./vector-cases.js";
import { vectorSetCases } from "./vector-set-cases.js";
import { watchCases } from "./watch-cases.js";

/** The storage contract as data: each case can also be run without a test runner, against a driver under suspicion. */
export const storageCases: readonly StorageCase[] = [
  ...recordCases,
  ...blobCases,
  ...blobStreamCases,
  ...keyCases,
  ...listingCases,
  ...needing("leases", [...leaseCases, ...fenceCases]),
  ...needing("watch", watchCases),
  ...needing("vectors", [...vectorCases, ...vectorSetCases]),
  ...lifeCycleCases,
];

function needing(needs: StorageCase["needs"], cases: readonly StorageCase[]): StorageCase[] {
  return cases.map((one) => ({ ...one, needs }));
}

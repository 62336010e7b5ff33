import { join } from "node:path";
import type { FileBase } from "../file-base.js";
import { corrupt, readJson } from "../files/read-json.js";
import { statePath } from "../names/state-naming.js";
import { type LeaseHolding, leaseHolding } from "./lease-holding.js";

const mend = "Delete it when no process works here: its lease is then free, and its tokens begin anew.";

/** The file of a lease. */
export function leasePath({ state }: Pick<FileBase, "state">, key: string): string {
  return statePath(join(state, "leases"), key);
}

/** @returns the last holding; undefined when there was none. @throws ArtificerError `storage/corrupt` */
export async function readHolding(path: string): Promise<LeaseHolding | undefined> {
  const json = await readJson(path, mend);
  const holding = json && leaseHolding(json);
  if (json !== undefined && holding === undefined) throw corrupt(path, mend, "it says nothing of a lease");
  return holding;
}

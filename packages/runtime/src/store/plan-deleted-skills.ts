import type { Storage } from "@artificer/protocol";
import { missingVersions, type PlannedItem, type TransferDirection } from "./plan-transfer.js";
import type { Inventory } from "./store-item.js";
import { listHistories } from "./take-inventory.js";

export interface DeletedSkillsRequest {
  direction: TransferDirection;
  /** What both have: a skill that either still has travels with its history anyway. */
  local: Inventory;
  remote: Inventory;
  signal?: AbortSignal | undefined;
}

/** Plans the way of versions whose skill neither store has any more: by one of them it can be had back, wherever they are. */
export async function planDeletedSkills(
  local: Storage,
  remote: Storage,
  request: DeletedSkillsRequest,
): Promise<PlannedItem[]> {
  const [here, there] = await Promise.all([
    listHistories(local, request.signal),
    listHistories(remote, request.signal),
  ]);
  const names = [...new Set([...here.keys(), ...there.keys()])].sort();
  return names.flatMap((name): PlannedItem[] => {
    const id = `skills/${name}`;
    if (request.local.has(id) || request.remote.has(id)) return [];
    const [ours, theirs] = [here.get(name) ?? [], there.get(name) ?? []];
    const history = missingVersions(ours, theirs, request.direction);
    if (history === undefined) return [];
    const stateOf = (versions: readonly unknown[]) => (versions.length === 0 ? "absent" : "deleted");
    return [
      {
        id,
        kind: "skills",
        local: stateOf(ours),
        remote: stateOf(theirs),
        action: "none",
        reason: `deleted; its versions are missing ${history.toRemote ? "there" : "here"}`,
        history,
        bytes: 0,
      },
    ];
  });
}

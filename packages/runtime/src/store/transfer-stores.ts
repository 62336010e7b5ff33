import { carryOut, type TransferProgress, type TransferredItem } from "./carry-out.js";
import { planDeletedSkills } from "./plan-deleted-skills.js";
import {
  type PlannedItem,
  type PlanOptions,
  planTransfer,
  type Side,
  type TransferDirection,
} from "./plan-transfer.js";
import { signalForMany } from "./signal-for-many.js";
import { type StorePeer, storeIdentity } from "./store-identity.js";
import type { StoreKind } from "./store-kind.js";
import { commonBase, noteAgreements, readSyncNotes } from "./sync-base.js";
import { takeInventory } from "./take-inventory.js";

/** Agreements noted together. */
const notesAtOnce = 200;

export interface TransferOptions {
  direction: TransferDirection;
  /** Default: skills, tools, deps and artifacts. A configuration belongs to its place and is carried when it is asked for. */
  kinds?: readonly StoreKind[];
  /** Only items for which this is true. */
  only?: (id: string) => boolean;
  /** Carries deletions over, see `PlanOptions`. */
  deletes?: boolean;
  mirror?: boolean;
  decide?: (id: string) => Side | undefined;
  allowSecrets?: boolean;
  /** Only plans, and changes nothing anywhere. */
  dryRun?: boolean;
  onProgress?: (progress: TransferProgress) => void;
  signal?: AbortSignal;
}

export interface TransferReport {
  items: TransferredItem[];
  /** Names of what both changed: nothing was done about them. */
  conflicts: string[];
}

const defaultKinds: readonly StoreKind[] = ["skills", "tools", "deps", "artifacts"];

/**
 * Brings two stores together: what one has and the other lacks, what changed on one side since both had the same, and nothing
 * that changed on both unless it is decided. May be ended at any moment and done again.
 *
 * @throws ArtificerError `storage/…`, or the signal's reason.
 */
export async function transferStores(
  local: StorePeer,
  remote: StorePeer,
  options: TransferOptions,
): Promise<TransferReport> {
  const { direction, kinds = defaultKinds, only = () => true, dryRun = false } = options;
  const signal = signalForMany(options.signal);
  const ids = { local: await storeIdentity(local, !dryRun), remote: await storeIdentity(remote, !dryRun) };
  // An export is the same store wherever its file lies.
  const places = { local: local.id ?? local.location, remote: remote.id ?? remote.location };
  const [localNotes, remoteNotes] = await Promise.all([
    readSyncNotes(local.storage, ids.remote, { signal }),
    readSyncNotes(remote.storage, ids.local, { signal }),
  ]);
  const [ours, theirs] = await Promise.all([
    takeInventory(local.storage, { kinds, known: localNotes.items, signal }),
    takeInventory(remote.storage, { kinds, known: remoteNotes.items, signal }),
  ]);
  const request: PlanOptions = {
    local: ours,
    remote: theirs,
    base: commonBase({ notes: localNotes, location: places.local }, { notes: remoteNotes, location: places.remote }),
    direction,
    deletes: options.deletes ?? false,
    mirror: options.mirror ?? false,
    ...(options.decide === undefined ? {} : { decide: options.decide }),
  };
  const deleted = kinds.includes("skills")
    ? await planDeletedSkills(local.storage, remote.storage, { direction, local: ours, remote: theirs, signal })
    : [];
  const plan = [...planTransfer(request), ...deleted].filter(({ id }) => only(id));
  if (dryRun) return report(plan.map(unstarted));

  const pending = {
    local: new Map<string, { hash: string; revision: string } | undefined>(),
    remote: new Map<string, { hash: string; revision: string } | undefined>(),
  };
  let writing: Promise<void> = Promise.resolve();
  const flush = () => {
    const [forLocal, forRemote] = [new Map(pending.local), new Map(pending.remote)];
    pending.local.clear();
    pending.remote.clear();
    writing = writing.then(async () => {
      await noteAgreements(local.storage, { id: ids.remote, location: places.remote }, forLocal);
      await noteAgreements(remote.storage, { id: ids.local, location: places.local }, forRemote);
    });
    return writing;
  };
  try {
    const items = await carryOut({
      local: local.storage,
      remote: remote.storage,
      plan,
      request,
      allowSecrets: options.allowSecrets ?? false,
      async onAgreement(id, agreed) {
        const noted = localNotes.items.get(id);
        const other = remoteNotes.items.get(id);
        // Most of what is the same has been noted long ago.
        if (
          agreed &&
          noted?.hash === agreed.hash &&
          other?.hash === agreed.hash &&
          noted.revision === agreed.local &&
          other.revision === agreed.remote
        )
          return;
        pending.local.set(id, agreed && { hash: agreed.hash, revision: agreed.local });
        pending.remote.set(id, agreed && { hash: agreed.hash, revision: agreed.remote });
        if (pending.local.size >= notesAtOnce) await flush();
      },
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      ...(signal === undefined ? {} : { signal }),
    });
    await flush();
    return report(items);
  } catch (thrown) {
    // What went well is noted even now; why it ended matters more than that it could not be.
    await flush().catch(() => {});
    throw thrown;
  }
}

function report(items: TransferredItem[]): TransferReport {
  return { items, conflicts: items.filter(({ outcome }) => outcome === "conflict").map(({ id }) => id) };
}

function unstarted(planned: PlannedItem): TransferredItem {
  return { ...planned, outcome: planned.action === "conflict" ? "conflict" : "left" };
}

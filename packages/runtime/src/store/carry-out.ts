import { ArtificerError, type ErrorJson, type Storage, toArtificerError } from "@artificer/protocol";
import { readBlob } from "../search/stored/read-blob.js";
import { findSecret } from "../skills/find-secret.js";
import { inParallel } from "../snapshots/in-parallel.js";
import { type CopiedItem, copyBlob } from "./copy-blob.js";
import { type CopySkillOptions, copyHistory, copySkill, deleteSkill } from "./copy-skill.js";
import { type PlannedItem, type PlanOptions, planItem } from "./plan-transfer.js";
import type { StoreItem } from "./store-item.js";
import { inspectItem } from "./take-inventory.js";

const parallelItems = 8;
/** How often an item is looked at again because somebody wrote meanwhile. */
const maxRounds = 5;

/** What came of an item. `left`: nothing was to be done, or nothing was allowed to be. */
export interface TransferredItem extends PlannedItem {
  outcome: "done" | "left" | "conflict" | "failed";
  error?: ErrorJson;
}

export interface TransferProgress {
  done: number;
  total: number;
  bytes: number;
  totalBytes: number;
  /** What was finished last. */
  id: string | undefined;
}

/** Told of an item that both stores have the same of now; `undefined` when neither has it any more. */
export type AgreementSink = (
  id: string,
  agreed: { hash: string; local: string; remote: string } | undefined,
) => Promise<void>;

export interface CarryOutOptions {
  local: Storage;
  remote: Storage;
  plan: readonly PlannedItem[];
  request: PlanOptions;
  /** Lets files with what looks like a secret in them pass. */
  allowSecrets?: boolean;
  onAgreement: AgreementSink;
  onProgress?: (progress: TransferProgress) => void;
  signal?: AbortSignal;
}

/**
 * Does what a plan says, several items at a time. Each is written by compare-and-set against what the plan saw; one that somebody
 * changed meanwhile is looked at and decided anew, so nothing of theirs is overwritten. A failure of one item is told, and the
 * others go on; one that meets all, such as a store that is read-only, full or gone, ends it.
 *
 * @throws the signal's reason, or what ended it; what was carried over until then stays, and is not carried again.
 */
export async function carryOut(options: CarryOutOptions): Promise<TransferredItem[]> {
  const { plan, onProgress, signal } = options;
  const work = plan.filter(needsWork);
  const progress: TransferProgress = {
    done: 0,
    total: work.length,
    bytes: 0,
    totalBytes: work.reduce((sum, { bytes }) => sum + bytes, 0),
    id: undefined,
  };
  const onBytes = (bytes: number) => {
    progress.bytes += bytes;
    onProgress?.({ ...progress });
  };
  onProgress?.({ ...progress });
  return inParallel(plan, parallelItems, async (planned) => {
    signal?.throwIfAborted();
    const result = await oneItem(planned, options, onBytes);
    if (!needsWork(planned)) return result;
    progress.done++;
    progress.id = planned.id;
    onProgress?.({ ...progress });
    return result;
  });
}

function needsWork({ action, history }: PlannedItem): boolean {
  return !["none", "keep", "conflict"].includes(action) || history !== undefined;
}

async function oneItem(
  planned: PlannedItem,
  options: CarryOutOptions,
  onBytes: (bytes: number) => void,
): Promise<TransferredItem> {
  const { local, remote, request, signal } = options;
  let now = planned;
  let items = { local: request.local.get(planned.id), remote: request.remote.get(planned.id) };
  for (let round = 1; ; round++) {
    try {
      return await attempt(now, items, options, onBytes);
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = toArtificerError(thrown);
      if (error.code === "storage/conflict" && round < maxRounds) {
        const looked = await Promise.all([
          inspectItem(local, planned.id, { signal }),
          inspectItem(remote, planned.id, { signal }),
        ]);
        items = { local: looked[0], remote: looked[1] };
        if (items.local === undefined && items.remote === undefined) {
          await options.onAgreement(planned.id, undefined);
          return { ...now, action: "none", reason: "deleted meanwhile", outcome: "left" };
        }
        now = planItem(planned.id, items.local, items.remote, request.base.get(planned.id), request);
        continue;
      }
      if (endsAll(error)) throw error;
      // Nobody can mend the versions of what is deleted; they stay, and keep nothing else from going.
      const isDeleted = now.local !== "same" && now.action === "none";
      if (isDeleted && error.code === "store/secret-found") return { ...now, reason: error.message, outcome: "left" };
      return { ...now, outcome: "failed", error: error.toJSON() };
    }
  }
}

/** What the next item would meet as well. */
function endsAll({ code }: ArtificerError): boolean {
  return ["storage/read-only", "storage/full", "storage/unavailable", "storage/closed", "internal/fault"].includes(
    code,
  );
}

async function attempt(
  planned: PlannedItem,
  items: { local: StoreItem | undefined; remote: StoreItem | undefined },
  options: CarryOutOptions,
  onBytes: (bytes: number) => void,
): Promise<TransferredItem> {
  const { local, remote, signal } = options;
  const { id, action, history } = planned;
  const ends = { signal, onBytes };
  const inspect = options.allowSecrets ? undefined : refuseSecretIn;
  switch (action) {
    case "conflict":
      return { ...planned, outcome: "conflict" };
    case "keep":
      return { ...planned, outcome: "left" };
    case "none": {
      const name = id.slice("skills/".length);
      if (history?.toRemote) await copyHistory({ from: local, to: remote }, name, { ...ends, inspect });
      if (history?.toLocal) await copyHistory({ from: remote, to: local }, name, ends);
      if (items.local !== undefined && items.remote !== undefined && items.local.hash === items.remote.hash)
        await options.onAgreement(id, {
          hash: items.local.hash,
          local: items.local.revision,
          remote: items.remote.revision,
        });
      return { ...planned, outcome: history === undefined ? "left" : "done" };
    }
    case "to-remote": {
      const item = items.local!;
      if (!options.allowSecrets) await refuseSecret(local, item);
      const copied = await copy({ from: local, to: remote }, item, items.remote, { ...ends, inspect });
      await options.onAgreement(id, { hash: copied.hash, local: copied.fromRevision, remote: copied.toRevision });
      return { ...planned, outcome: "done" };
    }
    case "to-local": {
      const copied = await copy({ from: remote, to: local }, items.remote!, items.local, ends);
      await options.onAgreement(id, { hash: copied.hash, local: copied.toRevision, remote: copied.fromRevision });
      return { ...planned, outcome: "done" };
    }
    case "delete-remote":
    case "delete-local": {
      const [storage, item] = action === "delete-remote" ? [remote, items.remote!] : [local, items.local!];
      if (item.kind === "skills") await deleteSkill(storage, item, { signal });
      else await storage.blobs.delete(item.key, { ifRevision: item.revision, signal });
      await options.onAgreement(id, undefined);
      return { ...planned, outcome: "done" };
    }
  }
}

function copy(
  stores: { from: Storage; to: Storage },
  item: StoreItem,
  target: StoreItem | undefined,
  options: CopySkillOptions & { signal: AbortSignal | undefined; onBytes: (bytes: number) => void },
): Promise<CopiedItem> {
  return item.kind === "skills" ? copySkill(stores, item, target, options) : copyBlob(stores, item, target, options);
}

/** A folder is private, a store is shared: keys that stand in definitions of tools must not get there unseen. */
async function refuseSecret(storage: Storage, { id, kind, key }: StoreItem): Promise<void> {
  if (kind === "artifacts") return;
  const read = await readBlob(storage.blobs, key);
  if (read !== undefined) refuseSecretIn(id, read.bytes);
}

/** A secret that was taken out of a skill still stands in its earlier versions, which travel too. */
function refuseSecretIn(id: string, bytes: Uint8Array): void {
  const found = findSecret(new TextDecoder().decode(bytes));
  if (found === undefined) return;
  throw new ArtificerError(
    "store/secret-found",
    `Line ${found.line} of ${id} holds ${found.kind}; it was not carried over.`,
    {
      details: { id, line: found.line, kind: found.kind },
      hint: "Name it under secrets: in config.yaml and refer to that, or say --allow-secrets.",
    },
  );
}

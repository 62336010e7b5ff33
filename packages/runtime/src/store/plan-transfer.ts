import type { Inventory, SkillHistory, StoreItem } from "./store-item.js";
import type { StoreKind } from "./store-kind.js";

/** Which way things go between the local store and the remote one. */
export type TransferDirection = "push" | "pull" | "sync";

/** Whose side is taken where both changed. */
export type Side = "ours" | "theirs";

/** How an item stands in one store since both had the same. `unknown`: nothing is noted of such a time. */
export type SideState = "same" | "added" | "changed" | "deleted" | "absent" | "unknown";

/** What is done about an item. `keep`: nothing, though the two differ; the reason says why. */
export type TransferAction = "none" | "to-remote" | "to-local" | "delete-remote" | "delete-local" | "keep" | "conflict";

export interface PlannedItem {
  id: string;
  kind: StoreKind;
  local: SideState;
  remote: SideState;
  action: TransferAction;
  /** Why, in words. */
  reason: string;
  /** For a skill that both have, or that both have deleted: earlier versions that the other side lacks. */
  history?: { toRemote: boolean; toLocal: boolean };
  /** Hash of the item when both stores last had the same; absent when nothing is noted of such a time. */
  base?: string;
  bytes: number;
}

export interface PlanOptions {
  local: Inventory;
  remote: Inventory;
  /** Hash of each item when both stores last had the same. */
  base: ReadonlyMap<string, string>;
  direction: TransferDirection;
  /** Whether what was deleted on one side, and is unchanged on the other, is deleted there too. */
  deletes?: boolean;
  /** Makes the side that is written like the other: what only it has is deleted. Not for `sync`. */
  mirror?: boolean;
  /** What a person decided about an item that is in conflict. */
  decide?: (id: string) => Side | undefined;
}

/** Plans what has to be done about every item, by id. Pure: looks at nothing but what it is given. */
export function planTransfer(options: PlanOptions): PlannedItem[] {
  const { local, remote, base } = options;
  const ids = [...new Set([...local.keys(), ...remote.keys()])].sort();
  return ids.map((id) => planItem(id, local.get(id), remote.get(id), base.get(id), options));
}

/** The same for one item. */
export function planItem(
  id: string,
  local: StoreItem | undefined,
  remote: StoreItem | undefined,
  base: string | undefined,
  options: Omit<PlanOptions, "local" | "remote" | "base">,
): PlannedItem {
  const { kind, bytes } = (local ?? remote)!;
  const told = {
    id,
    kind,
    local: stateOf(local, base),
    remote: stateOf(remote, base),
    ...(base !== undefined && { base }),
  };
  if (local?.hash === remote?.hash) {
    const history = missingHistory(local, remote, options.direction);
    const reason = history === undefined ? "both have the same" : "both have the same; earlier versions are missing";
    return { ...told, local: "same", remote: "same", action: "none", reason, bytes: 0, ...(history && { history }) };
  }
  if (saysNothing(local) && saysNothing(remote)) {
    return { ...told, local: "same", remote: "same", action: "none", reason: "neither says anything", bytes: 0 };
  }
  const newer = newerSide(local, remote, base);
  const { action, reason } = choose(newer, local, remote, {
    ...options,
    // Only a conflict is there to be decided: a word that stands for all must not undo what is plainly newer.
    decided: newer === "both" ? options.decide?.(id) : undefined,
    known: base !== undefined,
  });
  const moved = action === "to-local" ? (remote?.bytes ?? 0) : action === "to-remote" ? bytes : 0;
  return { ...told, action, reason, bytes: moved };
}

function saysNothing(item: StoreItem | undefined): boolean {
  return item === undefined || item.blank === true;
}

function stateOf(item: StoreItem | undefined, base: string | undefined): SideState {
  if (item === undefined) return base === undefined ? "absent" : "deleted";
  if (base === undefined) return "added";
  return item.hash === base ? "same" : "changed";
}

type Newer = "local" | "remote" | "both";

/** Who changed it. Where nothing is noted of an earlier time, a skill's own history may tell. */
function newerSide(local: StoreItem | undefined, remote: StoreItem | undefined, base: string | undefined): Newer {
  if (base !== undefined) {
    if (local?.hash === base) return "remote";
    if (remote?.hash === base) return "local";
  } else if (local === undefined) return "remote";
  else if (remote === undefined) return "local";
  else if (local.blank) return "remote";
  else if (remote.blank) return "local";
  const remoteIsOlder = isVersionOf(remote, local);
  const localIsOlder = isVersionOf(local, remote);
  if (remoteIsOlder !== localIsOlder) return remoteIsOlder ? "local" : "remote";
  return "both";
}

function isVersionOf(older: StoreItem | undefined, newer: StoreItem | undefined): boolean {
  return older?.history !== undefined && newer?.history?.known.has(older.history.text) === true;
}

interface Choice {
  direction: TransferDirection;
  deletes?: boolean;
  mirror?: boolean;
  decided: Side | undefined;
  /** Whether it is known what both had in common. */
  known: boolean;
}

function choose(
  newer: Newer,
  local: StoreItem | undefined,
  remote: StoreItem | undefined,
  { direction, deletes, mirror, decided, known }: Choice,
): { action: TransferAction; reason: string } {
  const chosen = decided ?? (mirror ? (direction === "push" ? "ours" : "theirs") : undefined);
  const side = chosen === undefined ? newer : chosen === "ours" ? "local" : "remote";
  if (side === "both") return { action: "conflict", reason: conflictReason(local, remote, known) };
  const wins = side === "local";
  // The side that wins is written to the other, if the other may be written at all.
  if (direction === (wins ? "pull" : "push")) {
    if (chosen !== undefined) return { action: "keep", reason: "left as it is, as you decided" };
    return { action: "keep", reason: keptReason(wins, local, remote, direction) };
  }
  const winner = wins ? local : remote;
  const why = decided === undefined ? "" : ", as you decided";
  if (winner !== undefined) {
    const replaces = (wins ? remote : local) === undefined ? "new" : "changed";
    return { action: wins ? "to-remote" : "to-local", reason: `${replaces} ${wins ? "here" : "there"}${why}` };
  }
  const where = wins ? "here" : "there";
  if (deletes || chosen !== undefined) {
    return {
      action: wins ? "delete-remote" : "delete-local",
      reason: `not ${where}${why || (mirror ? ", and the other is made like it" : " any more")}`,
    };
  }
  return { action: "keep", reason: `deleted ${where}; kept ${wins ? "there" : "here"} without --delete` };
}

function keptReason(
  localWins: boolean,
  local: StoreItem | undefined,
  remote: StoreItem | undefined,
  direction: TransferDirection,
): string {
  const where = localWins ? "here" : "there";
  const winner = localWins ? local : remote;
  const loser = localWins ? remote : local;
  if (winner === undefined) return `deleted ${where}, which a ${direction} leaves as it is`;
  return loser === undefined ? `only ${where}` : `newer ${where}; a ${direction} does not change that`;
}

function conflictReason(local: StoreItem | undefined, remote: StoreItem | undefined, known: boolean): string {
  if (local === undefined) return "deleted here and changed there";
  if (remote === undefined) return "changed here and deleted there";
  return known ? "changed here and there" : "both differ, and neither is known to be the older one";
}

/** Which way versions of a skill have to go, by their hashes; undefined when neither side that may be written lacks any. */
export function missingVersions(
  here: SkillHistory["versions"],
  there: SkillHistory["versions"],
  direction: TransferDirection,
): PlannedItem["history"] {
  const lacks = (those: SkillHistory["versions"], these: SkillHistory["versions"]) => {
    const known = new Set(those.flat());
    return these.some((hashes) => !hashes.some((hash) => known.has(hash)));
  };
  const toRemote = direction !== "pull" && lacks(there, here);
  const toLocal = direction !== "push" && lacks(here, there);
  return toRemote || toLocal ? { toRemote, toLocal } : undefined;
}

function missingHistory(
  local: StoreItem | undefined,
  remote: StoreItem | undefined,
  direction: TransferDirection,
): PlannedItem["history"] {
  const [here, there] = [local?.history, remote?.history];
  if (here === undefined || there === undefined) return undefined;
  return missingVersions(here.versions, there.versions, direction);
}

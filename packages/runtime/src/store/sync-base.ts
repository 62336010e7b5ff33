import { createHash } from "node:crypto";
import { ArtificerError, type JsonObject, type Storage, type StoredRecord, storageKey } from "@artificer/protocol";
import { listRecords } from "../search/stored/list-records.js";
import { updateRecord } from "../search/stored/update-record.js";
import type { KnownHashes } from "./take-inventory.js";

const folder = "sync";

/** What one store noted of an item when it last had the same as another. */
interface NotedItem {
  hash: string;
  /** This store's own revision of it. */
  revision: string;
}

/** What a store has noted of its agreements with one other. */
export interface SyncNotes {
  /** Where the other was. */
  location: string | undefined;
  items: ReadonlyMap<string, NotedItem>;
}

/** Reads the notes of `storage` about the store `peer`. */
export async function readSyncNotes(
  storage: Storage,
  peer: string,
  options: { signal?: AbortSignal } = {},
): Promise<SyncNotes> {
  const items = new Map<string, NotedItem>();
  let location: string | undefined;
  for (const { value } of await listRecords(storage.records, `${folder}/${peer}/`, options)) {
    if (typeof value.location === "string") location = value.location;
    for (const [id, noted] of Object.entries(itemsIn(value))) items.set(id, noted);
  }
  return { location, items };
}

/**
 * What both stores had in common last. Counts only what both have noted, or what one has noted of the other in the very place
 * where it is now: a copied folder bears the id of the one it was copied from, and must not pass for it.
 */
export function commonBase(
  local: { notes: SyncNotes; location: string },
  remote: { notes: SyncNotes; location: string },
): Map<string, string> {
  const base = new Map<string, string>();
  for (const id of new Set([...local.notes.items.keys(), ...remote.notes.items.keys()])) {
    const here = local.notes.items.get(id)?.hash;
    const there = remote.notes.items.get(id)?.hash;
    if (here !== undefined && there !== undefined) {
      if (here === there) base.set(id, here);
    } else if (here !== undefined) {
      if (remote.notes.items.size === 0 && local.notes.location === remote.location) base.set(id, here);
    } else if (there !== undefined && local.notes.items.size === 0 && remote.notes.location === local.location)
      base.set(id, there);
  }
  return base;
}

/** What a store has noted of its own items, whoever the other was. */
export function hashesIn(records: readonly StoredRecord[]): KnownHashes {
  const known = new Map<string, NotedItem>();
  for (const { key, value } of records)
    if (key.startsWith(`${folder}/`)) for (const [id, noted] of Object.entries(itemsIn(value))) known.set(id, noted);
  return known;
}

/** Notes agreements; undefined forgets one. A store that can't be written to is left without: the other notes them too. */
export async function noteAgreements(
  storage: Storage,
  peer: { id: string; location: string },
  agreed: ReadonlyMap<string, NotedItem | undefined>,
): Promise<void> {
  const shards = new Map<string, [string, NotedItem | undefined][]>();
  for (const entry of agreed) {
    const shard = shardOf(entry[0]);
    shards.set(shard, [...(shards.get(shard) ?? []), entry]);
  }
  for (const [shard, entries] of shards) {
    try {
      await updateRecord(storage.records, storageKey(`${folder}/${peer.id}/${shard}`), (stored) => {
        const items: Record<string, NotedItem> = { ...itemsIn(stored ?? {}) };
        for (const [id, noted] of entries) {
          if (noted === undefined) delete items[id];
          else items[id] = noted;
        }
        return { location: peer.location, at: new Date().toISOString(), items } as unknown as JsonObject;
      });
    } catch (thrown) {
      if (!ArtificerError.is(thrown, "storage/read-only")) throw thrown;
      return;
    }
  }
}

/** Records are small: many items are spread over many of them. */
function shardOf(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 2);
}

function itemsIn(value: JsonObject): Record<string, NotedItem> {
  const items =
    typeof value.items === "object" && value.items !== null && !Array.isArray(value.items) ? value.items : {};
  const noted: Record<string, NotedItem> = {};
  for (const [id, item] of Object.entries(items)) {
    const { hash, revision } = (item ?? {}) as JsonObject;
    if (typeof hash === "string" && typeof revision === "string") noted[id] = { hash, revision };
  }
  return noted;
}

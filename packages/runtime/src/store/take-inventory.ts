import type { BlobInfo, Storage } from "@artificer/protocol";
import { listBlobs } from "../search/stored/list-blobs.js";
import { readBlob } from "../search/stored/read-blob.js";
import { hashOf } from "../skills/hash-of.js";
import { inParallel } from "../snapshots/in-parallel.js";
import { createBlobHash } from "./blob-hash.js";
import { signalForMany } from "./signal-for-many.js";
import { skillContentHash } from "./skill-content.js";
import type { Inventory, SkillHistory, StoreItem } from "./store-item.js";
import { type KeyPlace, placeOfKey, prefixesOf, type StoreKind } from "./store-kind.js";

const parallelReads = 8;

/** Hashes known from an earlier look, good for as long as the revision is the same. */
export type KnownHashes = ReadonlyMap<string, { revision: string; hash: string }>;

export interface InventoryOptions {
  kinds: readonly StoreKind[];
  known?: KnownHashes;
  signal?: AbortSignal;
}

/** What a store has of some kinds. Reads what it has no hash of; what vanishes meanwhile is left out. */
export async function takeInventory(storage: Storage, options: InventoryOptions): Promise<Inventory> {
  const { kinds } = options;
  const signal = signalForMany(options.signal);
  const found: { info: BlobInfo; place: KeyPlace }[] = [];
  for (const kind of kinds) {
    for (const prefix of prefixesOf(kind)) {
      for (const info of await listBlobs(storage.blobs, prefix, { signal })) {
        const place = placeOfKey(info.key);
        if (place?.kind === kind) found.push({ info, place });
      }
    }
  }
  const histories = kinds.includes("skills") ? await listHistories(storage, signal) : new Map<string, string[][]>();
  const items = new Map<string, StoreItem>();
  // Of a skill in two languages the one that was written last counts, as it does for people.
  found.sort((left, right) => left.info.updatedAt.getTime() - right.info.updatedAt.getTime());
  await inParallel(found, parallelReads, async ({ info, place }) => {
    signal?.throwIfAborted();
    const item = await itemOf(storage, info, place, histories, { ...options, ...(signal && { signal }) });
    const other = items.get(place.id);
    if (item !== undefined && (other === undefined || other.updatedAt <= item.updatedAt)) items.set(place.id, item);
  });
  return new Map([...items].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** One item as it is now; undefined when there is none. */
export async function inspectItem(
  storage: Storage,
  id: string,
  options: { signal?: AbortSignal } = {},
): Promise<StoreItem | undefined> {
  const keys = id.startsWith("skills/") ? [`${id}.py`, `${id}.ts`] : [id];
  let newest: StoreItem | undefined;
  for (const key of keys) {
    const info = await storage.blobs.stat(key, options);
    const place = placeOfKey(key);
    if (info === undefined || place === undefined) continue;
    const histories =
      place.skill === undefined
        ? new Map<string, string[][]>()
        : await listHistories(storage, options.signal, place.skill.name);
    const item = await itemOf(storage, info, place, histories, options);
    if (item !== undefined && (newest === undefined || newest.updatedAt <= item.updatedAt)) newest = item;
  }
  return newest;
}

async function itemOf(
  storage: Storage,
  info: BlobInfo,
  { kind, id, skill }: KeyPlace,
  histories: ReadonlyMap<string, string[][]>,
  { known, signal }: { known?: KnownHashes; signal?: AbortSignal },
): Promise<StoreItem | undefined> {
  const common = { id, kind, key: info.key };
  const stateOf = ({ revision, size, updatedAt }: BlobInfo) => ({ revision, bytes: size, updatedAt });
  if (skill !== undefined) {
    // Small, and read whole: its history is told by its text.
    const read = await readBlob(storage.blobs, info.key, { signal });
    if (read === undefined) return undefined;
    const text = new TextDecoder().decode(read.bytes);
    const versions = histories.get(skill.name) ?? [];
    const history: SkillHistory = { text: hashOf(text), versions, known: new Set(versions.flat()) };
    return { ...common, ...stateOf(read.info), hash: skillContentHash(text), history };
  }
  if (kind === "deps" || kind === "config") {
    const read = await readBlob(storage.blobs, info.key, { signal });
    if (read === undefined) return undefined;
    const text = new TextDecoder().decode(read.bytes);
    const blank = text.split("\n").every((line) => /^\s*(?:#|$)/.test(line));
    return { ...common, ...stateOf(read.info), hash: hashOf(text), ...(blank ? { blank } : {}) };
  }
  const before = known?.get(id);
  if (before?.revision === info.revision) return { ...common, ...stateOf(info), hash: before.hash };
  const blob = await storage.blobs.read(info.key, { signal });
  if (blob === undefined) return undefined;
  const hash = createBlobHash(blob.info.metadata);
  for await (const _ of hash.through(blob.bytes)) signal?.throwIfAborted();
  return { ...common, ...stateOf(blob.info), hash: hash.digest() };
}

/** Hashes of the versions of each skill, under the numbers they have here and had elsewhere. */
export async function listHistories(
  storage: Storage,
  signal: AbortSignal | undefined,
  name?: string,
): Promise<Map<string, string[][]>> {
  const histories = new Map<string, string[][]>();
  const prefix = name === undefined ? "skill-versions/" : `skill-versions/${name}/`;
  for (const info of await listBlobs(storage.blobs, prefix, { signal })) {
    const [, skill] = /^skill-versions\/([^/]+)\/\d+\.(?:py|ts)$/.exec(info.key) ?? [];
    if (skill === undefined) continue;
    histories.set(skill, [...(histories.get(skill) ?? []), await versionHashes(storage, info, signal)]);
  }
  return histories;
}

/** What a version is known by: the hash of its text and, when it was renumbered on its way, that of the text it came as. */
export async function versionHashes(storage: Storage, info: BlobInfo, signal?: AbortSignal): Promise<string[]> {
  const noted = [info.metadata.hash, info.metadata.origin].filter((hash) => typeof hash === "string");
  if (noted.length > 0) return noted;
  const read = await readBlob(storage.blobs, info.key, { signal });
  return read === undefined ? [] : [hashOf(new TextDecoder().decode(read.bytes))];
}

import type { BlobInfo, JsonObject, JsonValue, Storage, StoredRecord } from "@artificer/protocol";
import { listBlobs } from "../search/stored/list-blobs.js";
import { listRecords } from "../search/stored/list-records.js";
import { placeOfKey } from "./store-kind.js";

const dayMs = 86_400_000;
/** What is being written has no name yet; after this time it never gets one. */
const minAgeMs = 3_600_000;

/** Something that nobody needs any more. */
export interface Garbage {
  key: string;
  store: "blob" | "record";
  bytes: number;
  reason: string;
}

export interface GarbageOptions {
  /** Also snapshots and journals of sessions that were not used for so many days. Default: none, they are somebody's. */
  sessionsUnusedDays?: number;
  /** Notes about stores not met for so many days. Default 180. */
  peersUnusedDays?: number;
  /** Only tells. */
  dryRun?: boolean;
  now?: number;
  signal?: AbortSignal;
}

/**
 * Finds and deletes what nothing refers to: bytes of snapshots that no snapshot names, what is known and learned of skills that are
 * gone, notes about stores that were not met for long. Skills, their versions, tools, deps and artifacts are never among it. What
 * changed since it was looked at stays.
 */
export async function collectGarbage(storage: Storage, options: GarbageOptions = {}): Promise<Garbage[]> {
  const { signal, dryRun = false, now = Date.now() } = options;
  const records = await listRecords(storage.records, "", { signal });
  const blobs = await listBlobs(storage.blobs, "", { signal });
  const found = [
    ...orphanedSnapshots(records, blobs, now),
    ...goneSkills(records, blobs),
    ...forgottenPeers(records, now - (options.peersUnusedDays ?? 180) * dayMs),
    ...(options.sessionsUnusedDays === undefined
      ? []
      : unusedSessions(records, blobs, now - options.sessionsUnusedDays * dayMs)),
  ];
  const garbage = [...new Map(found.map((each) => [`${each.store} ${each.key}`, each])).values()];
  const revisions = new Map([
    ...records.map(({ key, revision }) => [`record ${key}`, revision] as const),
    ...blobs.map(({ key, revision }) => [`blob ${key}`, revision] as const),
  ]);
  if (!dryRun) {
    for (const { store, key } of garbage) {
      signal?.throwIfAborted();
      const of = store === "blob" ? storage.blobs : storage.records;
      await of.delete(key, { ifRevision: revisions.get(`${store} ${key}`)!, signal }).catch((thrown: unknown) => {
        if ((thrown as { code?: string }).code !== "storage/conflict") throw thrown;
      });
    }
  }
  return garbage;
}

function orphanedSnapshots(records: readonly StoredRecord[], blobs: readonly BlobInfo[], now: number): Garbage[] {
  const manifests = records.filter(({ key }) => key.startsWith("snapshots/"));
  const named = new Set(manifests.flatMap(({ value }) => textsIn(value)));
  return blobs
    .filter(
      ({ key, updatedAt }) => key.startsWith("snapshots/") && !named.has(key) && now - updatedAt.getTime() > minAgeMs,
    )
    .map((info) => blobGarbage(info, "no snapshot names it"));
}

function goneSkills(records: readonly StoredRecord[], blobs: readonly BlobInfo[]): Garbage[] {
  const present = new Set(blobs.flatMap(({ key }) => placeOfKey(key)?.skill?.name ?? []));
  const gone = ({ key, value }: StoredRecord) => {
    const [, name] = /^(?:skill-index|skill-usage)\/([^/]+)$/.exec(key) ?? [];
    if (name !== undefined) return !present.has(name);
    return key.startsWith("search/skills/learned/") && typeof value.id === "string" && !present.has(value.id);
  };
  return records.filter(gone).map((record) => recordGarbage(record, "its skill is gone"));
}

function forgottenPeers(records: readonly StoredRecord[], before: number): Garbage[] {
  return records
    .filter(
      ({ key, value }) => key.startsWith("sync/") && typeof value.at === "string" && Date.parse(value.at) < before,
    )
    .map((record) => recordGarbage(record, "that store was not met for long"));
}

function unusedSessions(records: readonly StoredRecord[], blobs: readonly BlobInfo[], before: number): Garbage[] {
  const lastUse = new Map<string, number>();
  const used = (session: string, at: number) => lastUse.set(session, Math.max(lastUse.get(session) ?? 0, at));
  const sessionOf = (key: string) => /^(?:snapshots|journal|sessions)\/([^/]+)/.exec(key)?.[1];
  for (const { key, value } of records) {
    const session = sessionOf(key);
    // A record without a time in it can't be judged: it keeps its session.
    if (session !== undefined) used(session, Math.max(...timesIn(value), Number.NEGATIVE_INFINITY));
  }
  for (const { key, updatedAt } of blobs) {
    const session = sessionOf(key);
    if (session !== undefined) used(session, updatedAt.getTime());
  }
  const unused = (key: string) => {
    const at = lastUse.get(sessionOf(key) ?? "");
    return at !== undefined && Number.isFinite(at) && at < before;
  };
  const reason = "its session was not used for long";
  return [
    ...records.filter(({ key }) => unused(key)).map((record) => recordGarbage(record, reason)),
    ...blobs.filter(({ key }) => unused(key)).map((info) => blobGarbage(info, reason)),
  ];
}

function blobGarbage({ key, size }: BlobInfo, reason: string): Garbage {
  return { key, store: "blob", bytes: size, reason };
}

function recordGarbage({ key, value }: StoredRecord, reason: string): Garbage {
  return { key, store: "record", bytes: JSON.stringify(value).length, reason };
}

function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return value.startsWith("{") ? [value, ...textsIn(parsed(value))] : [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === "object" && value !== null ? Object.values(value as JsonObject).flatMap(textsIn) : [];
}

/** A manifest stands in its record as text, which is what was signed. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Moments told in a record, as texts in ISO form. */
function timesIn(value: JsonValue): number[] {
  return textsIn(value).flatMap((text) => (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? [Date.parse(text)] : []));
}

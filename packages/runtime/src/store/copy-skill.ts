import { ArtificerError, type BlobInfo, type Language, type Storage, storageKey } from "@artificer/protocol";
import { listBlobs } from "../search/stored/list-blobs.js";
import { readBlob } from "../search/stored/read-blob.js";
import { hashOf } from "../skills/hash-of.js";
import { type CopiedItem, goneMeanwhile } from "./copy-blob.js";
import { skillContentHash, withVersion } from "./skill-content.js";
import type { StoreItem } from "./store-item.js";
import { placeOfKey } from "./store-kind.js";
import { versionHashes } from "./take-inventory.js";

interface Version {
  number: number;
  language: Language;
  info: BlobInfo;
  hashes: string[];
}

const extensions: Record<Language, string> = { python: "py", typescript: "ts" };

export interface CopySkillOptions {
  signal?: AbortSignal | undefined;
  /** Sees each version before it is copied; what it throws ends the copying, with those before it copied. */
  inspect?: ((key: string, bytes: Uint8Array) => void) | undefined;
}

/**
 * Copies a skill: first every version that the other store lacks, then the current text as the newest of them. A number that is
 * taken there by another text becomes the next free one. What the other store had is kept as a version, whoever wrote it.
 *
 * @throws ArtificerError `storage/conflict` when either changed meanwhile; versions that were copied stay, and do no harm.
 */
export async function copySkill(
  { from, to }: { from: Storage; to: Storage },
  item: StoreItem,
  target: StoreItem | undefined,
  given: CopySkillOptions = {},
): Promise<CopiedItem> {
  const { name, language } = placeOfKey(item.key)!.skill!;
  // First, so that what comes over gets the later numbers.
  const { inspect, ...options } = given;
  if (target !== undefined) await keepAsVersion(to, target, options);
  await copyHistory({ from, to }, name, given);
  const read = await readBlob(from.blobs, item.key, options);
  if (read === undefined) throw goneMeanwhile(item.id);
  const text = decode(read.bytes);
  const current = await asNewestVersion(to, { name, language, text }, options);
  const sameFile = target?.key === item.key ? target : undefined;
  const written = await to.blobs.write(item.key, encode(current), {
    ifRevision: sameFile?.revision ?? null,
    ...options,
  });
  // It changed its language: the file that it was is a version by now.
  if (target !== undefined && sameFile === undefined)
    await to.blobs.delete(target.key, { ifRevision: target.revision, ...options });
  return { hash: skillContentHash(text), fromRevision: read.info.revision, toRevision: written.revision };
}

/** Deletes a skill's file; its versions stay, and what it says is one of them. */
export async function deleteSkill(
  storage: Storage,
  item: StoreItem,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  await keepAsVersion(storage, item, options);
  await storage.blobs.delete(item.key, { ifRevision: item.revision, ...options });
}

/** Copies the versions that the other store lacks. */
export async function copyHistory(
  { from, to }: { from: Storage; to: Storage },
  name: string,
  { inspect, ...options }: CopySkillOptions = {},
): Promise<void> {
  const known = new Set((await listVersions(to, name, options)).flatMap(({ hashes }) => hashes));
  for (const { number, language, info, hashes } of await listVersions(from, name, options)) {
    if (hashes.some((hash) => known.has(hash))) continue;
    const read = await readBlob(from.blobs, info.key, options);
    if (read === undefined) continue;
    inspect?.(info.key, read.bytes);
    const origin = typeof info.metadata.origin === "string" ? info.metadata.origin : undefined;
    await writeVersion(to, { name, language, text: decode(read.bytes), number, origin }, options);
  }
}

/** Writes a version under its number, or the next free one where that is another's. @returns its text as written. */
async function writeVersion(
  storage: Storage,
  version: { name: string; language: Language; text: string; number?: number; origin?: string | undefined },
  options: { signal?: AbortSignal | undefined },
): Promise<string> {
  const { name, language, text } = version;
  const hash = hashOf(text);
  for (;;) {
    const there = await listVersions(storage, name, options);
    const same = there.find(({ hashes }) => hashes.includes(hash));
    if (same !== undefined && version.number !== undefined) return text;
    const next = (there.at(-1)?.number ?? 0) + 1;
    const free = version.number !== undefined && !there.some(({ number }) => number === version.number);
    const number = free ? version.number! : next;
    const renumbered = number === version.number ? text : withVersion(text, number, language);
    const ownHash = hashOf(renumbered);
    const origin = version.origin ?? (ownHash === hash ? undefined : hash);
    try {
      const key = storageKey(`skill-versions/${name}/${number}.${extensions[language]}`);
      const metadata = { hash: ownHash, ...(origin === undefined ? {} : { origin }) };
      await storage.blobs.write(key, encode(renumbered), { ifRevision: null, metadata, ...options });
      return renumbered;
    } catch (thrown) {
      // Another writer took that number; the next round finds its text, or another number.
      if (!ArtificerError.is(thrown, "storage/conflict")) throw thrown;
    }
  }
}

/** The text under the newest version's number; one is made where the newest says something else. */
async function asNewestVersion(
  storage: Storage,
  skill: { name: string; language: Language; text: string },
  options: { signal?: AbortSignal | undefined },
): Promise<string> {
  const newest = (await listVersions(storage, skill.name, options)).at(-1);
  if (newest?.hashes.includes(hashOf(skill.text)) && newest.language === skill.language) {
    const read = await readBlob(storage.blobs, newest.info.key, options);
    if (read !== undefined) return decode(read.bytes);
  }
  return writeVersion(storage, skill, options);
}

/** What a person wrote into the file may not have become a version yet. */
async function keepAsVersion(
  storage: Storage,
  { key }: StoreItem,
  options: { signal?: AbortSignal | undefined },
): Promise<void> {
  const { name, language } = placeOfKey(key)!.skill!;
  const read = await readBlob(storage.blobs, key, options);
  if (read === undefined) return;
  const text = decode(read.bytes);
  const there = await listVersions(storage, name, options);
  if (!there.some(({ hashes }) => hashes.includes(hashOf(text))))
    await writeVersion(storage, { name, language, text }, options);
}

async function listVersions(
  storage: Storage,
  name: string,
  options: { signal?: AbortSignal | undefined },
): Promise<Version[]> {
  const versions: Version[] = [];
  for (const info of await listBlobs(storage.blobs, `skill-versions/${name}/`, options)) {
    const [, number, extension] = /\/(\d+)\.(py|ts)$/.exec(info.key) ?? [];
    if (number === undefined) continue;
    const language = extension === "py" ? "python" : "typescript";
    versions.push({
      number: Number(number),
      language,
      info,
      hashes: await versionHashes(storage, info, options.signal),
    });
  }
  return versions.sort((left, right) => left.number - right.number);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

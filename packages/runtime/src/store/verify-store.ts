import { ArtificerError, type BlobInfo, type ErrorJson, type Storage, toArtificerError } from "@artificer/protocol";
import { artifactValue } from "../artifacts/artifact-content.js";
import { keptKind } from "../artifacts/artifact-metadata.js";
import { listBlobs } from "../search/stored/list-blobs.js";
import { listRecords } from "../search/stored/list-records.js";
import { readFrontMatter } from "../skills/front-matter.js";
import { hashOf } from "../skills/hash-of.js";
import { requireSkillName } from "../skills/skill-name.js";
import { splitFrontMatter } from "../skills/split-front-matter.js";
import { inParallel } from "../snapshots/in-parallel.js";
import { createBlobHash } from "./blob-hash.js";
import { signalForMany } from "./signal-for-many.js";
import { placeOfKey } from "./store-kind.js";
import { hashesIn } from "./sync-base.js";
import type { KnownHashes } from "./take-inventory.js";

const parallelReads = 4;
/** What is larger is read and hashed, and not decoded. */
const maxDecodedBytes = 16 * 1024 * 1024;

/** Something in a store that is not as it should be. */
export interface StoreFault {
  key: string;
  error: ErrorJson;
}

export interface StoreVerification {
  blobs: number;
  records: number;
  bytes: number;
  faults: StoreFault[];
}

export interface VerifyOptions {
  /** Reads a definition of tools or a configuration; throws what is wrong with it. */
  checkText?: (key: string, text: string) => void | Promise<void>;
  onProgress?: (progress: { done: number; total: number; id: string }) => void;
  signal?: AbortSignal;
}

/** Reads everything in a store to its end: each blob's size, the hashes that are known, and what it should decode to. */
export async function verifyStore(storage: Storage, options: VerifyOptions = {}): Promise<StoreVerification> {
  const { onProgress } = options;
  const signal = signalForMany(options.signal);
  const faults: StoreFault[] = [];
  const records = await listRecords(storage.records, "", { signal });
  // What was noted of a blob when it was carried here or away must hold for as long as its revision does.
  const known = hashesIn(records);
  const infos = await listBlobs(storage.blobs, "", { signal });
  let bytes = 0;
  let done = 0;
  await inParallel(infos, parallelReads, async (info) => {
    try {
      const read = await verifyBlob(storage, info, known, { ...options, ...(signal && { signal }) });
      bytes += read;
    } catch (thrown) {
      signal?.throwIfAborted();
      faults.push({ key: info.key, error: toArtificerError(thrown, "store/damaged").toJSON() });
    }
    onProgress?.({ done: ++done, total: infos.length, id: info.key });
  });
  faults.sort((left, right) => (left.key < right.key ? -1 : 1));
  return { blobs: infos.length, records: records.length, bytes, faults };
}

async function verifyBlob(
  storage: Storage,
  listed: BlobInfo,
  known: KnownHashes,
  { checkText, signal }: VerifyOptions,
): Promise<number> {
  const { key } = listed;
  const blob = await storage.blobs.read(key, { signal });
  // Deleted since it was listed.
  if (blob === undefined) return 0;
  const { info } = blob;
  const kept: Uint8Array[] = [];
  const hash = createBlobHash(info.metadata);
  let size = 0;
  for await (const chunk of hash.through(blob.bytes)) {
    size += chunk.byteLength;
    if (info.size <= maxDecodedBytes) kept.push(chunk);
  }
  if (size !== info.size) throw damaged(key, `has ${size} bytes, and should have ${info.size}`);
  const place = placeOfKey(key);
  const noted = place && known.get(place.id);
  if (
    noted !== undefined &&
    place?.skill === undefined &&
    place?.kind !== "deps" &&
    place?.kind !== "config" &&
    noted.revision === info.revision &&
    noted.hash !== hash.digest()
  )
    throw damaged(key, "is not what it was, though nobody has written it");
  if (info.size > maxDecodedBytes) return size;
  const content = Buffer.concat(kept);
  const text = () => decodeText(key, content);
  const isVersion = key.startsWith("skill-versions/");
  if (isVersion && typeof info.metadata.hash === "string" && info.metadata.hash !== hashOf(text()))
    throw damaged(key, "is not the text that was saved");
  if (place?.skill !== undefined) {
    requireSkillName(place.skill.name);
    readFrontMatter(splitFrontMatter(text()));
  } else if (place?.kind === "artifacts") {
    const kind = keptKind(info);
    if (kind !== undefined) artifactValue(key, kind, content);
  } else if (place !== undefined) await checkText?.(key, text());
  return size;
}

function decodeText(key: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw damaged(key, "is no text in UTF-8");
  }
}

function damaged(key: string, what: string): ArtificerError {
  return new ArtificerError("store/damaged", `${key} ${what}.`, {
    details: { key },
    hint: "Bring it back from another store or an export, or delete it.",
  });
}

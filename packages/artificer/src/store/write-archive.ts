import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ArtificerError, type BlobInfo } from "@artificer/protocol";
import { type StoreKind, type StorePeer, storeIdentity } from "@artificer/runtime";
import { create } from "tar";
import { type ArchiveEntry, type ArchiveManifest, manifestName } from "./archive-manifest.js";

const prefixes: Record<StoreKind, readonly string[]> = {
  skills: ["skills/", "skill-versions/"],
  tools: ["tools/", "mcp.json"],
  deps: ["requirements.txt"],
  artifacts: ["artifacts/"],
  config: ["config.yaml"],
};

export interface WriteArchiveOptions {
  kinds: readonly StoreKind[];
  onProgress?: (progress: { done: number; total: number; id: string }) => void;
  signal?: AbortSignal;
}

/**
 * Writes a store's skills with all their versions, tools, deps, artifacts and configuration into one file, a gzipped tar archive with
 * a manifest of hashes. The file is there whole or not at all.
 *
 * @throws ArtificerError `usage/invalid-argument` when the file can't be made, `storage/…`
 */
export async function writeArchive(
  file: string,
  store: StorePeer,
  options: WriteArchiveOptions,
): Promise<ArchiveManifest> {
  const { signal, onProgress } = options;
  const infos = await listed(store, options);
  const folder = await stagingFolder(file);
  try {
    const blobs: ArchiveEntry[] = [];
    for (const [index, { key }] of infos.entries()) {
      signal?.throwIfAborted();
      const entry = await stage(store, key, folder, `blobs/${index}`, signal);
      if (entry !== undefined) blobs.push(entry);
      onProgress?.({ done: index + 1, total: infos.length, id: key });
    }
    const { location } = store;
    const manifest: ArchiveManifest = {
      artificer: "store/1",
      exportedAt: new Date().toISOString(),
      store: { id: await storeIdentity(store, true), location },
      blobs,
    };
    await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`);
    const draft = join(folder, "archive");
    // Read in this order: the manifest comes last.
    await create({ file: draft, cwd: folder, gzip: true, portable: true }, [
      ...blobs.map((blob) => blob.file),
      manifestName,
    ]);
    signal?.throwIfAborted();
    await rename(draft, file);
    return manifest;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function listed({ storage }: StorePeer, { kinds, signal }: WriteArchiveOptions): Promise<BlobInfo[]> {
  const infos: BlobInfo[] = [];
  for (const prefix of kinds.flatMap((kind) => prefixes[kind])) {
    let cursor: string | undefined;
    do {
      const page = await storage.blobs.list(prefix, { cursor, signal });
      infos.push(...page.items.filter(({ key }) => prefix.endsWith("/") || key === prefix));
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  return infos;
}

async function stage(
  { storage }: StorePeer,
  key: string,
  folder: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<ArchiveEntry | undefined> {
  const blob = await storage.blobs.read(key, { signal });
  // Deleted since it was listed.
  if (blob === undefined) return undefined;
  const hash = createHash("sha256");
  const hashed = async function* () {
    for await (const chunk of blob.bytes) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const path = join(folder, file);
  await pipeline(Readable.from(hashed()), createWriteStream(path), { signal });
  const { metadata, updatedAt } = blob.info;
  const { size: bytes } = await stat(path);
  return {
    key,
    file,
    bytes,
    sha256: hash.digest("hex"),
    metadata: metadata as ArchiveEntry["metadata"],
    updatedAt: updatedAt.toISOString(),
  };
}

/** Beside the file, so that what is finished there can be moved in one step. */
async function stagingFolder(file: string): Promise<string> {
  try {
    await mkdir(dirname(file), { recursive: true });
    const folder = await mkdtemp(join(dirname(file), `.${basename(file)}.`));
    await mkdir(join(folder, "blobs"));
    return folder;
  } catch (cause) {
    throw new ArtificerError("usage/invalid-argument", `${file} can't be written: ${(cause as Error).message}`, {
      details: { file },
      hint: "Name a file in a folder that you may write to.",
      cause,
    });
  }
}

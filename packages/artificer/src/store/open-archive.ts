import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ArtificerError,
  type BlobInfo,
  compareKeys,
  keyProblem,
  type Page,
  pageLimit,
  type Storage,
} from "@artificer/protocol";
import type { StorePeer } from "@artificer/runtime";
import { extract, list } from "tar";
import {
  type ArchiveEntry,
  type ArchiveManifest,
  invalidArchive,
  manifestName,
  parseManifest,
} from "./archive-manifest.js";

/**
 * Opens an export as a store that can only be read. Everything in it is checked before anything is taken from it.
 *
 * @throws ArtificerError `store/archive-invalid` naming what is missing or damaged.
 */
export async function openArchive(file: string): Promise<StorePeer & { manifest: ArchiveManifest }> {
  const folder = await mkdtemp(join(tmpdir(), "artificer-archive-"));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    await unpack(file, folder);
    const text = await readFile(join(folder, manifestName), "utf8").catch(() => undefined);
    if (text === undefined) throw invalidArchive(file, "it has no manifest, so its end may be missing");
    const manifest = parseManifest(text, file);
    for (const entry of manifest.blobs) await check(file, folder, entry);
    const storage = createArchiveStorage(folder, manifest, file, close);
    // What is in it is one moment of that store, and no longer the store itself.
    return { storage, location: `file:${file}`, id: `archive-${manifest.store.id}`.slice(0, 100), manifest };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function unpack(file: string, folder: string): Promise<void> {
  try {
    if (!(await stat(file)).isFile()) throw new Error("it is no file");
    // Plain files under the names that we give them, and nothing else: links and paths lead nowhere.
    const ours = (path: string, entry: { type?: string }) =>
      (path === manifestName || /^blobs\/\d+$/.test(path)) && ["File", "OldFile"].includes(entry.type ?? "");
    // To its end first: one that was cut short is known before anything of it is written.
    await list({ file, strict: true });
    await extract({ file, cwd: folder, strict: true, filter: (path, entry) => ours(path, entry as { type?: string }) });
  } catch (cause) {
    throw invalidArchive(file, (cause as Error).message, cause);
  }
}

async function check(file: string, folder: string, { key, file: name, bytes, sha256 }: ArchiveEntry): Promise<void> {
  const problem = keyProblem(key);
  if (problem !== undefined) throw invalidArchive(file, `${JSON.stringify(key)} can't be a key: ${problem}`);
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const chunk of createReadStream(join(folder, name))) {
      hash.update(chunk as Uint8Array);
      size += (chunk as Uint8Array).byteLength;
    }
  } catch (cause) {
    throw invalidArchive(file, `${key} is missing`, cause);
  }
  if (size !== bytes || hash.digest("hex") !== sha256) throw invalidArchive(file, `${key} is damaged`);
}

function createArchiveStorage(
  folder: string,
  { blobs }: ArchiveManifest,
  file: string,
  close: () => Promise<void>,
): Storage {
  const entries = new Map([...blobs].sort((a, b) => compareKeys(a.key, b.key)).map((entry) => [entry.key, entry]));
  const infoOf = ({ key, bytes, sha256, metadata, updatedAt }: ArchiveEntry): BlobInfo => ({
    key,
    size: bytes,
    revision: sha256,
    metadata,
    updatedAt: new Date(updatedAt),
  });
  const refuse = async (): Promise<never> => {
    throw new ArtificerError("storage/read-only", `${file} is an export, which nothing is written to.`);
  };
  return {
    kind: "archive",
    capabilities: { vectors: false, leases: false, watch: false, durable: true },
    records: { get: async () => undefined, list: async () => ({ items: [] }), put: refuse, delete: refuse },
    blobs: {
      async stat(key) {
        const entry = entries.get(key);
        return entry && infoOf(entry);
      },
      async read(key) {
        const entry = entries.get(key);
        return entry && { info: infoOf(entry), bytes: createReadStream(join(folder, entry.file)) };
      },
      write: refuse,
      delete: refuse,
      async list(prefix, options = {}): Promise<Page<BlobInfo>> {
        const limit = pageLimit(options);
        const keys = [...entries.keys()].filter((key) => key.startsWith(prefix));
        const start = options.cursor === undefined ? 0 : keys.findIndex((key) => compareKeys(key, options.cursor!) > 0);
        const page = start < 0 ? [] : keys.slice(start, start + limit);
        const more = start >= 0 && start + limit < keys.length;
        return { items: page.map((key) => infoOf(entries.get(key)!)), ...(more ? { cursor: page.at(-1)! } : {}) };
      },
    },
    close,
  };
}

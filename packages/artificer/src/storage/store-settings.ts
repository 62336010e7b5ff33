import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Storage } from "@artificer/protocol";
import { pruneCache } from "./prune-cache.js";

/** Largest definition that is taken from a store. */
const maxBytes = 16 * 1024 * 1024;

/** Text of a small blob; undefined when there is none. */
export async function readStoredText(storage: Storage, key: string): Promise<string | undefined> {
  return (await readBytes(storage, key))?.toString("utf8");
}

/** Definitions of tools laid out as files, since they name files beside them. */
export interface LaidOutTools {
  /** Holds `tools/` and, where the store has one, `mcp.json`. */
  folder: string;
  /** Takes away what is no cache. */
  remove(): Promise<void>;
}

/**
 * Lays out the definitions of tools that a store holds, leaving out files that `base` has word for word: after a push both are the same.
 *
 * @param cache where they are kept, one folder for each content; undefined: in a folder of their own, which `remove` deletes.
 * @returns undefined when the store has none.
 */
export async function layOutStoredTools(
  storage: Storage,
  base: string,
  cache: string | undefined,
): Promise<LaidOutTools | undefined> {
  const files = new Map<string, Buffer>();
  for (const prefix of ["tools/", "mcp.json"]) {
    let cursor: string | undefined;
    do {
      const page = await storage.blobs.list(prefix, cursor === undefined ? {} : { cursor });
      for (const { key, size } of page.items) {
        if (size > maxBytes || (key !== "mcp.json" && !key.startsWith("tools/"))) continue;
        const bytes = await readBytes(storage, key);
        if (bytes !== undefined) files.set(key, bytes);
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  for (const [key, bytes] of files) {
    const own = await readFile(join(base, key)).catch(() => undefined);
    // What only goes with a definition stays: the definitions that are left may need it.
    if (own?.equals(bytes) && (key === "mcp.json" || /^tools\/[^/]+\.ya?ml$/i.test(key))) files.delete(key);
  }
  if (![...files.keys()].some((key) => key === "mcp.json" || /\.ya?ml$/i.test(key))) return undefined;
  const digest = createHash("sha256");
  for (const [key, bytes] of [...files].sort(([left], [right]) => (left < right ? -1 : 1)))
    digest.update(`${key}\0${bytes.byteLength}\0`).update(bytes);
  const name = digest.digest("hex").slice(0, 32);
  if (cache !== undefined) {
    await mkdir(cache, { recursive: true });
    await pruneCache(cache, name);
    if (existsSync(join(cache, name))) return { folder: join(cache, name), remove: async () => {} };
  }
  const draft = await mkdtemp(join(cache ?? tmpdir(), "artificer-tools-"));
  await mkdir(join(draft, "tools"), { recursive: true });
  for (const [key, bytes] of files) {
    // Keys are checked by the storage: none leads out of the folder.
    await mkdir(dirname(join(draft, key)), { recursive: true });
    await writeFile(join(draft, key), bytes);
  }
  if (cache === undefined) return { folder: draft, remove: () => rm(draft, { recursive: true, force: true }) };
  const folder = join(cache, name);
  // Whole or not at all; another process may have been first with the same.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  return { folder, remove: async () => {} };
}

async function readBytes(storage: Storage, key: string): Promise<Buffer | undefined> {
  const blob = await storage.blobs.read(key);
  if (blob === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob.bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

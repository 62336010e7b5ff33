import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { compareKeys, keyProblem } from "@artificer/protocol";
import { isAbsent } from "../files/is-absent.js";
import { isChunk } from "./name-chunks.js";
import type { Naming } from "./naming.js";

/** A key and the file that holds it. */
export interface KeyFile {
  key: string;
  path: string;
}

export interface WalkRequest {
  naming: Naming;
  prefix: string;
  /** Whether a folder can be had by its name, and is never one whose name differs in case. Else its siblings are read to find it. */
  exactNames: boolean;
  /** Begin after this key. */
  after?: string;
  /** Awaited before each folder is read or looked into. */
  onFolder?: (folder: string) => Promise<void>;
  /** Told of what lies there and can't be a key's file, and why. */
  onIgnored?: (path: string, reason: string) => void;
}

/** The keys below `root` in byte order. Reads only the folders that can hold any; what appears or vanishes meanwhile may or may not be told. */
export function walkKeys(root: string, request: WalkRequest): AsyncGenerator<KeyFile, void, void> {
  return walk([root], "", request);
}

interface Entry {
  segment: string;
  folder: boolean;
  paths: string[];
}

async function* walk(folders: string[], base: string, request: WalkRequest): AsyncGenerator<KeyFile, void, void> {
  const { prefix, after } = request;
  const end = prefix.indexOf("/", base.length);
  if (request.exactNames && end >= 0) {
    const segment = prefix.slice(base.length, end);
    const inside: string[] = [];
    for (const folder of folders) inside.push(...(await foldersOf(folder, segment, request)));
    return yield* walk(inside, `${base}${segment}/`, request);
  }
  const entries = new Map<string, Entry>();
  for (const folder of folders) await readEntries(folder, [], request, entries);
  // A folder sorts by its name and slash: that is where its keys belong among the files'.
  for (const name of [...entries.keys()].sort(compareKeys)) {
    const { folder, paths } = entries.get(name) as Entry;
    const key = base + name;
    if (folder) {
      const wanted = key.startsWith(prefix) || prefix.startsWith(key);
      const passed = after !== undefined && compareKeys(key, after) < 0 && !after.startsWith(key);
      if (wanted && !passed) yield* walk(paths, key, request);
    } else if (key.startsWith(prefix) && (after === undefined || compareKeys(key, after) > 0)) {
      const problem = keyProblem(key);
      const path = paths[0] as string;
      if (problem === undefined) yield { key, path };
      else request.onIgnored?.(path, `its name can't be a key: ${problem}`);
    }
  }
}

/** The folders in which keys with this segment lie, which stands beside ten thousand others, say. */
async function foldersOf(folder: string, segment: string, { naming, onFolder }: WalkRequest): Promise<string[]> {
  await onFolder?.(folder);
  const found: string[] = [];
  for (const names of naming.write(segment, true)) {
    let path: string | undefined = folder;
    for (const name of names) path = path && (await folderAt(join(path, name)));
    if (path !== undefined) found.push(path);
  }
  return found;
}

/** The path when a folder is there; a symbolic link is none. */
async function folderAt(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? path : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function readEntries(
  folder: string,
  head: readonly string[],
  request: WalkRequest,
  entries: Map<string, Entry>,
): Promise<void> {
  await request.onFolder?.(folder);
  for (const dirent of await readFolder(folder)) {
    const { name } = dirent;
    // Dot files belong to editors, git and ourselves; no key begins with a dot.
    if (head.length === 0 && name.startsWith(".")) continue;
    const path = join(folder, name);
    const isFolder = dirent.isDirectory();
    if (isFolder && isChunk(name)) {
      await readEntries(path, [...head, name], request, entries);
      continue;
    }
    const reason = isFolder || dirent.isFile() ? undefined : strangeness(dirent);
    const segment = reason === undefined ? request.naming.read([...head, name], isFolder) : undefined;
    if (segment === undefined) {
      request.onIgnored?.(path, reason ?? "its name is not how a key is written");
    } else if (await isReachable(folder, name)) {
      const id = isFolder ? `${segment}/` : segment;
      const entry = entries.get(id) ?? { segment, folder: isFolder, paths: [] };
      entry.paths.push(path);
      // Of two files for one key the plain name counts; it is always the shorter.
      entry.paths.sort((a, b) => a.length - b.length);
      entries.set(id, entry);
    } else request.onIgnored?.(path, "its name is not in Unicode normal form C");
  }
}

/** Some file systems find a name in either normal form; where they don't, a file in the other form has no key. */
async function isReachable(folder: string, name: string): Promise<boolean> {
  const normal = name.normalize("NFC");
  if (normal === name) return true;
  return lstat(join(folder, normal)).then(
    () => true,
    () => false,
  );
}

function strangeness(dirent: Dirent): string {
  return dirent.isSymbolicLink() ? "it is a symbolic link, which is not followed" : "it is neither file nor folder";
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

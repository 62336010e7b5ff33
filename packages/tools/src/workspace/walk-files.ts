import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { IgnoreRules } from "./ignore-rules.js";

/** Something found under a folder. */
export interface WalkedEntry {
  /** Relative to the workspace's root, with forward slashes. */
  path: string;
  entry: Dirent;
}

/** What a walk leaves out, and when it stops. */
export interface WalkOptions {
  rules: IgnoreRules;
  hidden?: boolean;
  signal: AbortSignal;
}

/** Goes through a folder in the order of names, without following links. Folders that may not be read are passed over. */
export async function* walkFiles(rootFolder: string, start: string, options: WalkOptions): AsyncGenerator<WalkedEntry> {
  options.signal.throwIfAborted();
  const entries = await readdir(join(rootFolder, start), { withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === ".git" || (entry.name.startsWith(".") && options.hidden !== true)) continue;
    const path = start === "." ? entry.name : `${start}/${entry.name}`;
    if (await options.rules.leavesOut(path, entry.isDirectory())) continue;
    yield { path, entry };
    if (entry.isDirectory()) yield* walkFiles(rootFolder, path, options);
  }
}

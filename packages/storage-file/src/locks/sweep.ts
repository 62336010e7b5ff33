import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { takeLock } from "./file-lock.js";
import { lifeOf, parseFacts } from "./process-life.js";
import type { ProcessMark } from "./process-mark.js";

export interface SweepFolders {
  drafts: string;
  locks: string;
  processes: string;
}

/** After this long a process on another machine is taken for gone. A mistake costs it no more than a repeated write. */
const foreignAgeMs = 7 * 24 * 3600 * 1000;

/** Clears away what processes that died have left: drafts, locks, marks. */
export async function sweep(folders: SweepFolders, mark: ProcessMark): Promise<void> {
  // Drafts before marks: a draft's writer has made its mark before it.
  const drafts = await names(folders.drafts);
  const marks = new Map<string, boolean>();
  for (const name of await names(folders.processes)) {
    marks.set(name.replace(/\.json$/, ""), await isGone(join(folders.processes, name)));
  }
  for (const name of drafts) {
    const owner = name.slice(0, name.lastIndexOf("-"));
    if (owner !== mark.id && marks.get(owner) !== false) await rm(join(folders.drafts, name), { force: true });
  }
  for (const name of await names(folders.locks)) {
    const path = join(folders.locks, name);
    const facts = parseFacts(await readFile(path, "utf8").catch(() => ""));
    if (facts !== undefined && (await lifeOf(facts)) === "dead") {
      const lock = await takeLock(path, mark, { waitMs: 1000, staleMs: 1000 });
      await lock.release();
    }
  }
  for (const [id, gone] of marks) if (gone) await rm(join(folders.processes, `${id}.json`), { force: true });
}

async function isGone(path: string): Promise<boolean> {
  const facts = parseFacts(await readFile(path, "utf8").catch(() => ""));
  const life = facts === undefined ? "unknown" : await lifeOf(facts);
  if (life !== "unknown") return life === "dead";
  const mtimeMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
  return Date.now() - mtimeMs > foreignAgeMs;
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

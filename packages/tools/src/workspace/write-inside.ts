import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { chmod, chown, lstat, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { fileError } from "./file-error.js";
import { checkOpened } from "./read-inside.js";
import type { WorkspacePath, WorkspaceRoot } from "./workspace-root.js";

/**
 * Writes a file whole or not at all: its folders are made, and readers see the old content or the new one. Keeps the mode of
 * a file that was there.
 *
 * @returns whether the file is new.
 * @throws ArtificerError `tool/denied`, `tool/failed`.
 */
export async function writeInside(
  root: WorkspaceRoot,
  { absolute, shown }: WorkspacePath,
  content: Uint8Array,
): Promise<boolean> {
  try {
    await mkdir(dirname(absolute), { recursive: true });
    return await inFolder(root, { absolute, shown }, async (folder) => {
      const target = join(folder, basename(absolute));
      const before = await regularFile(target, shown);
      const draft = join(folder, `.artificer-${randomBytes(6).toString("hex")}`);
      try {
        await writeFile(draft, content, { flag: "wx" });
        if (before !== undefined) await adopt(draft, before);
        await rename(draft, target);
      } finally {
        await rm(draft, { force: true });
      }
      return before === undefined;
    });
  } catch (error) {
    throw fileError(error, shown);
  }
}

/** Removes a file; one that is gone already is no error. */
export async function removeInside(root: WorkspaceRoot, { absolute, shown }: WorkspacePath): Promise<void> {
  try {
    await inFolder(root, { absolute, shown }, async (folder) => {
      const target = join(folder, basename(absolute));
      if ((await regularFile(target, shown)) !== undefined) await rm(target, { force: true });
    });
  } catch (error) {
    throw fileError(error, shown);
  }
}

/** Works in the folder that was checked: on Linux by its handle, so that swapping it for a link meanwhile gains nothing. */
async function inFolder<T>(
  root: WorkspaceRoot,
  { absolute, shown }: WorkspacePath,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = dirname(absolute);
  if (process.platform !== "linux") return work(folder);
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await checkOpened(root, handle, shown);
    return await work(`/proc/self/fd/${handle.fd}`);
  } finally {
    await handle.close();
  }
}

async function regularFile(target: string, shown: string): Promise<Stats | undefined> {
  const stats = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stats === undefined || stats.isFile()) return stats;
  throw new ArtificerError("tool/failed", `${shown} is ${stats.isDirectory() ? "a folder" : "no regular file"}.`, {
    details: { path: shown },
  });
}

async function adopt(draft: string, { mode, uid, gid }: Stats): Promise<void> {
  await chmod(draft, mode & 0o7777);
  // Only root may give files away; for everybody else the file is their own anyway.
  if (process.getuid?.() === 0) await chown(draft, uid, gid);
}

import { constants, type Stats } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import { ArtificerError } from "@artificer/protocol";
import { fileError } from "./file-error.js";
import { outside, type WorkspacePath, type WorkspaceRoot } from "./workspace-root.js";

/** A file's bytes and where they are from. */
export interface ReadFile extends WorkspacePath {
  bytes: Buffer;
  stats: Stats;
}

/**
 * Reads a whole file of the workspace. A pipe or device is refused rather than waited for.
 *
 * @throws ArtificerError `tool/file-missing`, `tool/denied`, `tool/result-too-large`, `tool/failed`.
 */
export async function readInside(
  root: WorkspaceRoot,
  path: string,
  { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal },
): Promise<ReadFile> {
  const located = await root.locate(path);
  const { absolute, shown } = located;
  let handle: FileHandle | undefined;
  try {
    // The last step must be no link by now, and opening must not wait for a pipe's other end.
    handle = await open(absolute, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    await checkOpened(root, handle, shown);
    const stats = await handle.stat();
    if (stats.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    if (!stats.isFile()) {
      throw new ArtificerError("tool/failed", `${shown} is no regular file.`, { details: { path: shown } });
    }
    if (stats.size > maxBytes) throw tooLarge(shown, stats.size, maxBytes);
    return { ...located, stats, bytes: await handle.readFile({ signal }) };
  } catch (error) {
    throw signal?.aborted ? signal.reason : fileError(error, shown);
  } finally {
    await handle?.close();
  }
}

/** Where the system tells what was really opened, a folder swapped for a link meanwhile is noticed. */
export async function checkOpened(root: WorkspaceRoot, handle: FileHandle, shown: string): Promise<void> {
  if (process.platform !== "linux") return;
  const real = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (real !== undefined && !(await root.inside(real))) throw outside(shown, root.folder);
}

function tooLarge(shown: string, bytes: number, maxBytes: number): ArtificerError {
  return new ArtificerError("tool/result-too-large", `${shown} has ${bytes} bytes; at most ${maxBytes} are read.`, {
    details: { path: shown, bytes, maxBytes },
    hint: "Search it with search_files, or cut it with terminal().",
  });
}

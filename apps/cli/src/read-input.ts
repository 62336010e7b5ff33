import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { ArtificerError } from "@artificer/protocol";
import type { CliIo } from "./context.js";

/** The bytes of a file, or of standard input for `-`. @throws ArtificerError `usage/invalid-argument` */
export async function readInputBytes(io: CliIo, file: string): Promise<Uint8Array> {
  if (file === "-") return buffer(io.stdin);
  try {
    return await readFile(resolve(io.cwd, file));
  } catch (error) {
    throw new ArtificerError("usage/invalid-argument", `Can't read ${file}: ${reasonOf(error)}.`, {
      details: { file },
      hint: "Name a readable file, or - for standard input.",
      cause: error,
    });
  }
}

/** The same as text. @throws ArtificerError `usage/invalid-argument`, also when it is no UTF-8. */
export async function readInput(io: CliIo, file: string): Promise<string> {
  const bytes = await readInputBytes(io, file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ArtificerError("usage/invalid-argument", `${file} is no UTF-8 text.`, {
      hint: "Save it as UTF-8; a binary file can be kept with `artificer artifacts put`.",
    });
  }
}

/** Why the file system refused, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: "there is no such file",
    EACCES: "permission denied",
    EISDIR: "it is a folder",
    ENOTDIR: "a part of its path is no folder",
    EROFS: "the file system is read-only",
    ENOSPC: "the disk is full",
    EPERM: "not permitted",
  };
  return reasons[code ?? ""] ?? message;
}

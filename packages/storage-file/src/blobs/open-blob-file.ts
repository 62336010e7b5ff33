import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Neither a link that was put in the file's place, nor a pipe that would wait for a writer, is followed. Windows has no such flags. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function openBlobFile(path: string): Promise<FileHandle> {
  return open(path, flags);
}

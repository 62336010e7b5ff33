import { ArtificerError } from "@artificer/protocol";

const reasons: Record<string, string> = {
  EACCES: "may not be reached by this user",
  EPERM: "may not be changed by this user",
  EISDIR: "is a folder",
  ENOTDIR: "has a file where a folder is needed",
  ELOOP: "is a link that leads nowhere or in a circle",
  ENOSPC: "can't be written: the disk is full",
  EROFS: "is on a disk that can't be written",
  ENAMETOOLONG: "has too long a name",
};

/** What the file system said, as an error that names the path as the caller knows it. */
export function fileError(error: unknown, shown: string, danglingLink = false): ArtificerError {
  if (ArtificerError.is(error)) return error;
  const { code = "", message = String(error) } = error as NodeJS.ErrnoException;
  if (danglingLink) {
    return new ArtificerError("tool/denied", `${shown} goes through a link that leads nowhere or in a circle.`, {
      details: { path: shown },
    });
  }
  if (code === "ENOENT") {
    return new ArtificerError("tool/file-missing", `There is no ${shown}.`, {
      details: { path: shown },
      hint: "list_files shows what is there.",
    });
  }
  return new ArtificerError("tool/failed", `${shown} ${reasons[code] ?? `can't be used: ${message}`}.`, {
    details: { path: shown, reason: code || message },
    cause: error,
  });
}

import { ArtificerError, type ErrorCode } from "@artificer/protocol";
import { errnoOf } from "./is-absent.js";

const codes: Record<string, ErrorCode> = {
  ENOSPC: "storage/full",
  EDQUOT: "storage/full",
  EFBIG: "storage/full",
  EROFS: "storage/read-only",
};

const hints: Partial<Record<ErrorCode, string>> = {
  "storage/full": "Free some space, or raise the quota or file size limit, and do it again: nothing was changed.",
  "storage/read-only": "Give this user write permission for the folder, or choose another base folder.",
};

/**
 * What the file system said, as an error of ours that names the file. What is no file-system error (an abort's reason,
 * the failure of a source, an error of ours) comes back as it is.
 */
export function fileError(error: unknown, doing: "read" | "write", path: string): unknown {
  const errno = errnoOf(error);
  if (!(error instanceof Error) || errno === undefined || (error as NodeJS.ErrnoException).syscall === undefined)
    return error;
  const denied = errno === "EACCES" || errno === "EPERM";
  const code = codes[errno] ?? (denied && doing === "write" ? "storage/read-only" : "storage/unavailable");
  return new ArtificerError(code, `Can't ${doing} ${path}: ${error.message}.`, {
    details: { path, errno },
    hint: denied && doing === "read" ? "Give this user permission to read it." : hints[code],
    cause: error,
  });
}

/** Runs file operations and gives their failures by `fileError`. */
export async function withFileErrors<T>(doing: "read" | "write", path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw fileError(error, doing, path);
  }
}

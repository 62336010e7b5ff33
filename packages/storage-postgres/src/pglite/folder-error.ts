import { ArtificerError, type ErrorCode } from "@artificer/protocol";

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "storage/full",
  EDQUOT: "storage/full",
  EFBIG: "storage/full",
  EROFS: "storage/read-only",
  EACCES: "storage/read-only",
  EPERM: "storage/read-only",
};

const hints: Partial<Record<ErrorCode, string>> = {
  "storage/full": "Free some space, or raise the quota or file size limit, and open it again.",
  "storage/read-only":
    "Give this user write permission for the folder, or choose another: an embedded database can't be opened for reading alone.",
};

/** Why a folder can't hold an embedded database, as an error of ours that names it. What is one already comes back as it is. */
export function folderError(thrown: unknown, folder: string): ArtificerError {
  if (ArtificerError.is(thrown)) return thrown;
  // What the database was made of throws what is no error, or an error that says nothing.
  const { code: errno, message } = (thrown ?? {}) as { code?: unknown; message?: unknown };
  const code = codes[String(errno)] ?? "storage/unavailable";
  const why = typeof message === "string" && message !== "" ? message : `it ended without a word (${String(thrown)})`;
  return new ArtificerError(code, `The embedded database in ${folder} can't be opened: ${why}.`, {
    details: { folder, errno: String(errno) },
    hint: hints[code] ?? "See that the folder is whole: restore it from a backup, or begin with an empty one.",
    cause: thrown,
  });
}

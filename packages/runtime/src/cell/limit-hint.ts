import type { ErrorCode } from "@artificer/protocol";

const hints = {
  "cell/memory-limit": "Work on smaller pieces, or raise code_execution.memory.",
  "cell/cpu-limit": "Do less in one kernel, or raise code_execution.cpu: it counts all the cells of a kernel together.",
  "cell/process-limit":
    "Wait for processes and threads to end before starting more, or raise code_execution.processes.",
  "cell/open-files-limit": "Close files and sockets when done with them, or raise code_execution.open_files.",
  "cell/unread-output":
    "Print less at once, or write to files: the server ends a kernel that is this far ahead of what its host has read.",
  "cell/file-size-limit": "Write several smaller files, or raise code_execution.file_size.",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** For the code of a limit of the operating system, the code itself and how to mend it. */
export function limitHint(code: string | undefined): { code: ErrorCode; hint: string } | undefined {
  if (code === undefined || !Object.hasOwn(hints, code)) return undefined;
  const known = code as keyof typeof hints;
  return { code: known, hint: hints[known] };
}

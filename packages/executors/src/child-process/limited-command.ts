import type { ResourceLimits } from "@artificer/protocol";
import { checkLimits } from "./check-limits.js";

/**
 * The command under the operating system's limits. They are set by a shell that then becomes the program itself, since
 * Node cannot set them for a child; so no process is left in between, and any language's kernel is bound alike.
 * Without limits the command is returned as it is.
 *
 * @throws ArtificerError `executor/unsupported` for a limit that is no positive number.
 */
export function limitedCommand(command: readonly string[], limits: ResourceLimits): string[] {
  checkLimits(limits);
  const settings = [
    setting("v", limits.memoryBytes, 1024),
    cpu(limits.cpuSeconds),
    setting("n", limits.openFiles, 1),
    // POSIX: in blocks of 512 bytes.
    setting("f", limits.fileBytes, 512),
    processes(limits.processes),
  ].filter((text) => text !== "");
  if (settings.length === 0) return [...command];
  return ["/bin/sh", "-c", `${settings.join(" && ")} && exec "$@"`, "sh", ...command];
}

function setting(letter: string, limit: number | undefined, unit: number): string {
  return limit === undefined ? "" : `ulimit -${letter} ${Math.max(1, Math.floor(limit / unit))}`;
}

/** The soft limit first, whose signal names the reason; the hard one a second later, for a kernel that ignores it. */
function cpu(limit: number | undefined): string {
  if (limit === undefined) return "";
  const seconds = Math.max(1, Math.floor(limit));
  return `ulimit -t ${seconds + 1} && ulimit -S -t ${seconds}`;
}

/** Shells disagree on the letter: `-u` in bash, `-p` in dash. */
function processes(limit: number | undefined): string {
  const count = limit === undefined ? 0 : Math.max(1, Math.floor(limit));
  return limit === undefined ? "" : `{ ulimit -u ${count} 2>/dev/null || ulimit -p ${count}; }`;
}

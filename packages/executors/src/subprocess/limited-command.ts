import type { ResourceLimits } from "@artificer/protocol";

/**
 * The command under the operating system's limits. They are set by a shell that then becomes the program itself, since
 * Node cannot set them for a child; so no process is left in between, and any language's kernel is bound alike.
 * Without limits the command is returned as it is.
 */
export function limitedCommand(command: readonly string[], limits: ResourceLimits): string[] {
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

/** The soft limit alone sends SIGXCPU, which tells what happened; the hard one ends a program that ignores that. */
function cpu(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  const soft = Math.max(1, Math.ceil(seconds));
  return `ulimit -t ${soft + 2} && ulimit -S -t ${soft}`;
}

/** Shells disagree on the letter: `-u` in bash, `-p` in dash. */
function processes(limit: number | undefined): string {
  const count = limit === undefined ? 0 : Math.max(1, Math.floor(limit));
  return limit === undefined ? "" : `{ ulimit -u ${count} 2>/dev/null || ulimit -p ${count}; }`;
}

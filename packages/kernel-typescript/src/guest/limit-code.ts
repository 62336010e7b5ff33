type Facts = { code?: unknown; syscall?: unknown; signal?: unknown; status?: unknown };

/**
 * The stable code when a limit of the operating system made the error, else undefined. `resources` holds the limits that were
 * set on purpose; only these are told, except for memory, whose end is the same whoever set it.
 */
export function limitCode(error: unknown, resources: Readonly<Record<string, number>>): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if (error instanceof RangeError && /allocation failed/i.test(error.message)) return "cell/memory-limit";
  const { code, syscall, signal, status } = error as Facts;
  if (code === "EMFILE" && "openFiles" in resources) return "cell/open-files-limit";
  if (code === "EFBIG" && "fileBytes" in resources) return "cell/file-size-limit";
  if (code === "ENOMEM" && "memoryBytes" in resources) return "cell/memory-limit";
  // The same code comes from sockets and pipes that would block.
  if (code === "EAGAIN" && "processes" in resources && /^spawn/.test(String(syscall))) return "cell/process-limit";
  if (code === "ERR_WORKER_INIT_FAILED" && "processes" in resources) return "cell/process-limit";
  // A child process that ran into the limit, itself or under a shell that passes it on.
  if ((signal === "SIGXFSZ" || status === 153) && "fileBytes" in resources) return "cell/file-size-limit";
  if ((signal === "SIGXCPU" || status === 152) && "cpuSeconds" in resources) return "cell/cpu-limit";
  return undefined;
}

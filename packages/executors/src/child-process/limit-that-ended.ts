import type { KernelExit, ResourceLimits } from "@artificer/protocol";

/** Which limit ended a process, where the way it ended tells. */
export function limitThatEnded(
  signal: string | null,
  limits: ResourceLimits,
  outOfMemory: boolean,
): Pick<KernelExit, "limit"> {
  if (signal === "SIGXCPU" && limits.cpuSeconds !== undefined) return { limit: "cpu" };
  if (signal === "SIGXFSZ" && limits.fileBytes !== undefined) return { limit: "file-size" };
  if (signal === "SIGKILL" && outOfMemory) return { limit: "memory" };
  return {};
}

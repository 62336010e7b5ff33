import type { ResourceLimits } from "@artificer/protocol";
import type { SessionLimits } from "./limits.js";

/** The limits that the operating system enforces: those that are set. */
export function resourceLimits(limits: SessionLimits): ResourceLimits {
  const { memoryBytes, cpuSeconds, processes, openFiles, fileBytes } = limits;
  const all = { memoryBytes, cpuSeconds, processes, openFiles, fileBytes };
  return Object.fromEntries(Object.entries(all).filter(([, bound]) => bound !== undefined));
}

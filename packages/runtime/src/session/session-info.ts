import type { KernelSlot } from "./kernel-slot.js";
import type { CoreSessionOptions } from "./session-options.js";
import type { KernelInfo, SessionInfo } from "./session-registry.js";

/** What is told of a session to whoever lists those of the process. */
export function sessionInfo(
  { owner, parent }: CoreSessionOptions,
  { id, openedAt, slots }: { id: string; openedAt: Date; slots: Iterable<KernelSlot> },
): SessionInfo {
  const kernels: KernelInfo[] = [];
  for (const { kernel, language, generation, busy } of slots) {
    if (kernel === undefined) continue;
    const { pid, executable, version } = kernel.info;
    kernels.push({ language, generation, pid, executable, version, busy });
  }
  return {
    id,
    ...(owner === undefined ? {} : { owner }),
    ...(parent === undefined ? {} : { parent: parent.id }),
    openedAt,
    kernels,
  };
}

import type { Language } from "@artificer/protocol";
import type { Toolset } from "../tools/toolset.js";
import type { KernelSlot } from "./kernel-slot.js";

/** Has the live kernels know the tools that there are by now; their variables stay. A kernel that starts later knows them anyway. */
export function rebindKernels(slots: ReadonlyMap<Language, KernelSlot>, toolset: Toolset): void {
  for (const [language, { kernel }] of slots) {
    // One that dies meanwhile tells so by its end.
    kernel?.request("kernel.bind", { bindings: toolset.bindings(language) }).reply.catch(() => {});
  }
}

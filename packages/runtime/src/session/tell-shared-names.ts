import type { KernelSlot } from "./kernel-slot.js";

/** Tells a TypeScript kernel what is shared: there a listing can't wait for the host. Python asks when it is asked. */
export function tellSharedNames(slot: KernelSlot | undefined, names: string[]): void {
  // A kernel that ends meanwhile needs no names.
  slot?.kernel?.request("shared.names", { names }).reply.catch(() => undefined);
}

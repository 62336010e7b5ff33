import type { Language } from "@artificer/protocol";
import type { KernelSlot } from "./kernel-slot.js";

/** Adds a remark to the outcome of every cell that is running, once. */
export function remarkInCells(slots: ReadonlyMap<Language, KernelSlot>, remark: string | undefined): void {
  if (remark === undefined) return;
  for (const slot of slots.values()) slot.remark(remark);
}

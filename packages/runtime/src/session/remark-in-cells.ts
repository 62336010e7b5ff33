import type { Language } from "@artificer/protocol";
import type { KernelSlot } from "./kernel-slot.js";

/** Adds a remark to the outcome of every cell that is running, once. */
export function remarkInCells(slots: ReadonlyMap<Language, KernelSlot>, remark: string | undefined): void {
  if (remark === undefined) return;
  for (const { active } of slots.values()) {
    if (active !== undefined && !active.notices.includes(remark)) active.notices.push(remark);
  }
}

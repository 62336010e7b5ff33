import type { Language } from "@artificer/protocol";
import type { KernelSlot } from "./kernel-slot.js";
import type { SessionEnvironment } from "./session-environment.js";

/** Lets a skill's variables of the host's environment through where that is allowed; the cells that run are told what comes of it. */
export function requireVariables(
  slots: ReadonlyMap<Language, KernelSlot>,
  environment: SessionEnvironment,
  { skill, names }: { skill: string; names: readonly string[] },
): void {
  const remark = environment.require(skill, names);
  if (remark === undefined) return;
  for (const { active } of slots.values()) {
    if (active !== undefined && !active.notices.includes(remark)) active.notices.push(remark);
  }
}

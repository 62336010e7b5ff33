import type { Language, Storage } from "@artificer/protocol";
import type { Journal } from "../journal/journal.js";
import { cellsAfter } from "../snapshots/cells-after.js";
import { claimSession } from "./claim-session.js";
import type { KernelSlot } from "./kernel-slot.js";

export interface ResumeOptions {
  storage: Storage;
  session: string;
  /** The id that was asked for; a random one can't be anybody's yet. */
  id?: string;
  owner?: string;
  journal: Journal;
}

/**
 * Takes a session up where an earlier process left it.
 *
 * @returns the number of its last cell, 0 for a new one. @throws ArtificerError `session/not-owner`
 */
export async function resumeSession(
  slotsByLanguage: ReadonlyMap<Language, KernelSlot>,
  options: ResumeOptions,
): Promise<number> {
  const slots = [...slotsByLanguage.values()];
  const { storage, session, id, owner, journal } = options;
  const keep = slots.some(({ keeper }) => keeper !== undefined);
  if (id !== undefined || owner !== undefined || keep) await claimSession(storage, { id: session, owner, keep });
  let last = 0;
  for (const { keeper, language } of slots)
    last = Math.max(last, (await keeper?.open((cell) => cellsAfter(journal, language, cell))) ?? 0);
  return last;
}

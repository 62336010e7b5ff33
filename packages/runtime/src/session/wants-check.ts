import { ArtificerError } from "@artificer/protocol";
import type { KernelSlot } from "./kernel-slot.js";

/**
 * Whether a cell is checked before it runs: as its run says, else as its session does, where its language can be.
 *
 * @throws ArtificerError `usage/invalid-argument` when a run asks for it in a language that can't be checked
 */
export function wantsCheck(slot: KernelSlot, asked: boolean | undefined, standing: boolean | undefined): boolean {
  if (asked === undefined) return standing === true && slot.checks !== undefined;
  if (!asked || slot.checks !== undefined) return asked;
  throw new ArtificerError(
    "usage/invalid-argument",
    `check: cells in ${slot.language} can't be checked before they run.`,
    {
      details: { language: slot.language },
      hint: "Leave check out, or run the cell with language: typescript.",
    },
  );
}

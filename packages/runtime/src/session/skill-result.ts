import { ArtificerError, type Value } from "@artificer/protocol";
import type { Outcome } from "../outcome/outcome.js";

/** What a skill gave that was run as a cell of its own. @throws ArtificerError `skill/failed` */
export function skillResult(name: string, outcome: Outcome): Value {
  if (outcome.status === "completed") return outcome.value ?? null;
  throw new ArtificerError("skill/failed", outcome.error?.message ?? `The skill ${name} ${outcome.status}.`, {
    details: { skill: name, status: outcome.status, traceback: outcome.traceback },
  });
}

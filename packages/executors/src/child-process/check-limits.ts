import { ArtificerError, type ResourceLimits } from "@artificer/protocol";

/** @throws ArtificerError `executor/unsupported` for a limit that is no positive number. */
export function checkLimits(limits: ResourceLimits): void {
  for (const [name, limit] of Object.entries(limits) as [string, unknown][]) {
    if (limit === undefined || (typeof limit === "number" && Number.isFinite(limit) && limit > 0)) continue;
    throw new ArtificerError(
      "executor/unsupported",
      `The limit ${name} must be a positive number, not ${String(limit)}.`,
      {
        details: { limit: name },
        hint: `Give ${name} a positive number, or leave it out for no bound.`,
      },
    );
  }
}

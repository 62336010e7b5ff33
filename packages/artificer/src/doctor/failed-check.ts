import { toArtificerError } from "@artificer/protocol";
import type { DoctorCheck } from "./doctor-report.js";

/** What was thrown, as a check that did not pass. */
export function failedCheck(name: string, thrown: unknown, status: "warn" | "fail" = "fail"): DoctorCheck {
  const { message, hint } = toArtificerError(thrown);
  return hint === undefined ? { name, status, detail: message } : { name, status, detail: message, hint };
}

import { checkBase } from "./check-base.js";
import { checkNode } from "./check-node.js";
import type { DoctorReport } from "./doctor-report.js";

export type { DoctorCheck, DoctorReport } from "./doctor-report.js";

/** Looks at everything that Artificer needs and changes nothing. Never throws: what fails is a check that failed. */
export async function diagnose(options: { base: string; signal?: AbortSignal }): Promise<DoctorReport> {
  const checks = [checkNode(), await checkBase(options.base)];
  return { usable: checks.every(({ status }) => status !== "fail"), checks };
}

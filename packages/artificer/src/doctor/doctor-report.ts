/** One thing that was looked at. */
export interface DoctorCheck {
  /** Stable, for programs: `node`, `python`, `executor subprocess`, `base`, … */
  name: string;
  /** `warn`: it works less than fully; `fail`: what is needed is missing. */
  status: "ok" | "warn" | "fail";
  detail: string;
  /** How to mend it; absent when there is nothing to mend. */
  hint?: string;
}

/** All of it. */
export interface DoctorReport {
  /** False when something needed is missing. */
  usable: boolean;
  checks: DoctorCheck[];
}

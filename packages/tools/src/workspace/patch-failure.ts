import type { NearestPassage } from "./nearest-passage.js";

/** Why a patch was not applied; nothing has been changed. A value, since a script goes on to the next file. */
export interface PatchFailure {
  success: false;
  error: string;
  path: string;
  hint: string;
  /** What comes nearest to what was looked for. */
  nearest?: NearestPassage;
  /** Where it stands, when in several places. */
  lines?: number[];
}

/** Leaves the work on a patch with a failure that becomes its result. */
export class PatchProblem extends Error {
  readonly failure: PatchFailure;

  constructor(failure: Omit<PatchFailure, "success">) {
    super(failure.error);
    this.failure = { success: false, ...failure };
  }
}

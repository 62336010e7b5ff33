/** A store that learners open, and the same for the bare driver. */
export interface LearningTarget {
  kind: "files" | "PostgreSQL" | "Redis";
  /** A folder, or the server's URL. */
  address: string;
}

/** What a learner is told, a line of JSON each. It answers each with a line: `{}`, or what it found. */
export type LearnerCommand =
  | { do: "open"; target: LearningTarget; side: Side }
  /** Looks every so often until it is there. */
  | { do: "watch"; everyMs: number; patienceMs: number }
  | { do: "close" };

/** Ours searches a library; bare asks the driver for one value. */
export type Side = "ours" | "bare";

export interface LearnerReport {
  /** By the machine's clock, in milliseconds since 1970; absent when it was not found in time. */
  foundAt?: number;
  looks: number;
  /** Texts of skills that this process embedded. */
  embedded: number;
}

/** What the learners wait for. */
export const learned = {
  skill: "collect_licences",
  source: "# ---\n# description: Collects the licences of all packages\n# ---\ndef run():\n    return 1\n",
  query: "licences of packages",
  bareKey: "learned",
};

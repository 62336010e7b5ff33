/** What a row measures with, the same for all. */
export interface Bench {
  /** The interpreter that both sides use: the real binary. */
  python: string;
}

/** Run once the clock has stopped: ends what the sample started, or proves that it gave the right answer. */
export type AfterSample = () => void | Promise<void>;

/** The two sides of a row, ready to be measured; each call is one sample. */
export interface Measured {
  /** Ours, through the public API. */
  ours(): Promise<AfterSample | undefined>;
  /** The least that the same machine and interpreter need for a comparable exchange. */
  bare(): Promise<AfterSample | undefined>;
  close(): Promise<void>;
}

/** One line of the table. */
export interface Row {
  name: string;
  /** What the bare side does. */
  limit: string;
  /** Operations in one sample; times are told for one operation. */
  operations: number;
  warmUps: number;
  samples: number;
  /** The budget, as it is written in the table. */
  budget: string;
  /** Gives the reason where this machine lacks what the row measures. */
  open(bench: Bench): Promise<Measured | { reason: string }>;
}

import type { Bench } from "./row.js";

/** One figure of a report. */
export interface Figure {
  what: string;
  value: string;
  /** What it should be; absent where there is no budget. */
  budget?: string;
  /** Whether it is; absent where there is no budget. */
  kept?: boolean;
}

/** What is no time beside a limit: a table of figures of its own. */
export interface Report {
  name: string;
  /** Takes long: only measured when it is asked for by its name. */
  onRequest: boolean;
  measure(bench: Bench, onProgress: (text: string) => void): Promise<Figure[]>;
}

/** Bytes as people read them. */
export function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

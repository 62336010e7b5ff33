import type { AfterSample, Bench, Row } from "./row.js";

/** One row's times, in milliseconds an operation. */
export interface RowResult {
  name: string;
  limit: string;
  budget: string;
  oursP50Ms: number;
  oursP95Ms: number;
  bareP50Ms: number;
  /** How many times the bare limit ours takes. */
  ratio: number;
  perSecond: number;
}

/** What a row measures is not to be had on this machine. */
export class NotMeasured extends Error {}

/**
 * Measures a row: warms both sides up, then takes their samples in turns, so that whatever else the machine does falls on
 * both alike.
 *
 * @throws NotMeasured with the reason
 */
export async function measureRow(row: Row, bench: Bench): Promise<RowResult> {
  const measured = await row.open(bench);
  if ("reason" in measured) throw new NotMeasured(`${row.name}: ${measured.reason}`);
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    for (let sample = -row.warmUps; sample < row.samples; sample += 1) {
      const times = [await timed(measured.ours), await timed(measured.bare)] as const;
      if (sample < 0) continue;
      ours.push(times[0] / row.operations);
      bare.push(times[1] / row.operations);
    }
  } finally {
    await measured.close();
  }
  const oursP50Ms = percentile(ours, 50);
  const bareP50Ms = percentile(bare, 50);
  return {
    name: row.name,
    limit: row.limit,
    budget: row.budget,
    oursP50Ms,
    oursP95Ms: percentile(ours, 95),
    bareP50Ms,
    ratio: oursP50Ms / bareP50Ms,
    perSecond: 1000 / oursP50Ms,
  };
}

async function timed(sample: () => Promise<AfterSample | undefined>): Promise<number> {
  const start = performance.now();
  const after = await sample();
  const elapsed = performance.now() - start;
  await after?.();
  return elapsed;
}

/** The smallest value that at least `rank` percent of all don't exceed. */
export function percentile(values: readonly number[], rank: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((rank / 100) * sorted.length) - 1)];
  if (value === undefined) throw new RangeError("there is no percentile of nothing");
  return value;
}

/** How a quantity went over a run. */
export interface Trend {
  /** Mean of the first tenth of the samples. */
  first: number;
  /** Mean of the last tenth. */
  last: number;
  /** By least squares, a step. */
  slope: number;
  /** From the first tenth to the last, as a share of the first. */
  growth: number;
}

/** @throws RangeError for fewer than ten samples: they have no tenths. */
export function trendOf(samples: readonly { at: number; value: number }[]): Trend {
  const tenth = Math.floor(samples.length / 10);
  if (tenth === 0) throw new RangeError(`${samples.length} samples have no tenths`);
  const first = mean(samples.slice(0, tenth).map(({ value }) => value));
  const last = mean(samples.slice(-tenth).map(({ value }) => value));
  const meanAt = mean(samples.map(({ at }) => at));
  const meanValue = mean(samples.map(({ value }) => value));
  let covariance = 0;
  let variance = 0;
  for (const { at, value } of samples) {
    covariance += (at - meanAt) * (value - meanValue);
    variance += (at - meanAt) ** 2;
  }
  return { first, last, slope: covariance / variance, growth: last / first - 1 };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

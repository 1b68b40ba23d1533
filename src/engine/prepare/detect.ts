import { autocorrelations, differences, meanAbsolute } from '../statistics.ts';

/**
 * Finds the seasonal period of a series from the highest peak of the autocorrelation of its differences, for series
 * whose calendar tells nothing. The period is refined on multiples of the lag, so it need not be whole. Cautious: gives
 * nothing for less than three cycles of up to 400 steps, or a peak below .3 or four standard errors.
 */
export function detectPeriods(values: Float64Array): readonly number[] {
  const n = values.length;
  const longest = Math.min(400, Math.floor(n / 3));
  if (longest < 3) return [];
  const steps = differences(values, 1);
  const typical = meanAbsolute(values);
  // A straight line moves by rounding errors only.
  if (!steps.some((step) => Math.abs(step - steps[0]) > 1e-9 * typical)) return [];
  const correlations = autocorrelations(steps, Math.min(n - 2, 6 * longest));
  const needed = Math.max(0.3, 4 / Math.sqrt(n));
  // Before the first fall below zero there is only the nearness of neighbours.
  let first = 1;
  while (first <= longest && correlations[first] > 0) first++;
  const isPeak = (lag: number): boolean =>
    correlations[lag] > correlations[lag - 1] && correlations[lag] >= correlations[lag + 1];

  let highest = 0;
  for (let lag = first + 1; lag <= longest; lag++) if (isPeak(lag)) highest = Math.max(highest, correlations[lag]);
  if (!(highest > needed)) return [];
  for (let lag = first + 1; lag <= longest; lag++) {
    if (isPeak(lag) && correlations[lag] >= 0.85 * highest)
      return [refine(highestAround(lag, correlations), correlations)];
  }
  return [];
}

/** The highest of the peaks that noise makes of one. */
function highestAround(lag: number, correlations: Float64Array): number {
  let best = lag;
  for (let k = lag; k <= 1.2 * lag && k < correlations.length; k++) if (correlations[k] > correlations[best]) best = k;
  return best;
}

/** Follows the peaks at the multiples of a lag: the farther one stands, the better it tells the period. */
function refine(lag: number, correlations: Float64Array): number {
  let period = lag;
  for (let multiple = 2; multiple <= 6; multiple++) {
    const around = Math.round(multiple * period);
    const reach = Math.max(1, Math.floor(multiple / 2));
    if (around + reach >= correlations.length) break;
    let best = around;
    for (let k = around - reach; k <= around + reach; k++) if (correlations[k] > correlations[best]) best = k;
    if (!(correlations[best] > 0.7 * correlations[lag])) break;
    period = best / multiple;
  }
  return Math.abs(period - Math.round(period)) < 0.008 * period ? Math.round(period) : period;
}

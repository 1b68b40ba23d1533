import { basesOf } from './bases.ts';
import { centredMean } from './features.ts';
import { ridgeOf } from './ridge.ts';
import { windowsOf } from './tree-effect.ts';
import type { Covariate, Effect, Lesson } from './types.ts';

/** What is left beyond so many standard deviations counts as if it were so large. */
const bound = 4;
/** What is left is looked at anew so often: at first all that moves is. */
const rounds = 3;

/**
 * Effects by ridge regression on bends, lags and products, of what moves faster than the level. Dozens of covariates that
 * go together share their effect; one that tells nothing is drawn to 0.
 */
export function ridgeEffect({ values, covariates, periods, length }: Lesson): Effect {
  const { width, block } = windowsOf(periods, values.length);
  const level = centredMean(values, width);
  const deviation = values.map((value, i) => value - level[i]);
  const profile = profileOf(deviation, periods, length);
  const bases = basesOf(covariates, periods, length, covariates, profile);
  const levels = bases.columns.map((column) => centredMean(column, width));
  const around = (columns: readonly Float64Array[]): Float64Array[] =>
    columns.map((column, k) => column.map((value, i) => value - levels[k][i]));
  const halves = Uint8Array.from(values, (_, i) => Math.floor(i / block) % 2);
  const ridge = ridgeOf(around(bases.columns), bases.given, Array.from(deviation, Number.isFinite), halves);
  let fit = ridge(within(deviation, new Float64Array(deviation.length)));
  for (let round = 1; round < rounds; round++) fit = ridge(within(deviation, fit.fitted));
  return {
    values: fit.effect,
    of(others: readonly Covariate[], from: number): Float64Array {
      return fit.of(around(basesOf(others, periods, length, covariates, profile).columns), from);
    },
  };
}

/** The values, where they lie far from what is fitted as if they lay no further than its usual error. */
function within(values: Float64Array, fitted: Float64Array): Float64Array {
  let [sum, count] = [0, 0];
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    sum += (value - fitted[i]) ** 2;
    count++;
  });
  const most = bound * Math.sqrt(sum / count);
  return values.map((value, i) => fitted[i] + Math.max(-most, Math.min(most, value - fitted[i])));
}

/** A place in the calendar is known from so many times at least. */
const leastTimes = 4;

/** The mean deviation at each place in the longest cycle that is there often enough; of spread 1. */
function profileOf(deviation: Float64Array, periods: readonly number[], length: number): Float64Array | undefined {
  const period = periods
    .map(Math.round)
    .filter((each) => each * leastTimes <= deviation.length)
    .at(-1);
  if (period === undefined) return undefined;
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  deviation.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    sums[i % period] += value;
    counts[i % period]++;
  });
  const means = sums.map((sum, phase) => (counts[phase] > 0 ? sum / counts[phase] : 0));
  const spread = Math.sqrt(means.reduce((sum, each) => sum + each * each, 0) / period) || 1;
  return Float64Array.from({ length }, (_, i) => means[i % period] / spread);
}

import type { Covariate } from './types.ts';

/** What the effects are learned from: one column per feature, one row per step of history and future. */
export interface Features {
  readonly columns: readonly Float64Array[];
}

/** Whether a column has two values only. */
export function isSwitch(values: Float64Array): boolean {
  const first = values[0];
  const other = values.find((value) => value !== first);
  return other === undefined || values.every((value) => value === first || value === other);
}

/**
 * The covariates as they are, before and after, and the place in the calendar's cycles.
 *
 * @param like the covariates that say which of them are switches
 */
export function featuresOf(
  covariates: readonly Covariate[],
  periods: readonly number[],
  length: number,
  like = covariates,
): Features {
  const columns: Float64Array[] = [];
  const add = (column: Float64Array): void => {
    columns.push(column);
  };
  const at = (of: (i: number) => number): Float64Array => Float64Array.from({ length }, (_, i) => of(i));
  const whole = periods.map(Math.round);
  const short = whole[0] ?? 1;
  whole.forEach((period, k) => {
    if (period > length / 1.5) return;
    const before = k > 0 ? whole[k - 1] : 1;
    if (k > 0 && period % before === 0) add(at((i) => Math.floor((i % period) / before)));
    add(at((i) => (periods[k] === period ? i % period : i % periods[k])));
  });
  for (const [k, { values }] of covariates.entries()) {
    add(values);
    const shifted = (lag: number): Float64Array => at((i) => values[Math.max(0, Math.min(length - 1, i - lag))]);
    if (isSwitch(like[k].values)) {
      const day = whole.length > 1 && whole[1] % short === 0 ? short : 1;
      add(shifted(day));
      add(shifted(-day));
      continue;
    }
    add(shifted(1));
    if (short > 1 && short < length / 4) add(meanBefore(values, short));
    if (short > 12) add(meanBefore(values, 4));
  }
  return { columns };
}

/** The mean of so many values up to each place. */
function meanBefore(values: Float64Array, count: number): Float64Array {
  let sum = 0;
  return values.map((value, i) => {
    sum += value;
    if (i >= count) sum -= values[i - count];
    return sum / Math.min(i + 1, count);
  });
}

/** The centred mean over a width; near the ends over what there is. Missing values are left out. */
export function centredMean(values: Float64Array, width: number): Float64Array {
  const half = Math.floor(width / 2);
  const n = values.length;
  const sums = new Float64Array(n + 1);
  const counts = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) {
    const known = Number.isFinite(values[i]);
    sums[i + 1] = sums[i] + (known ? values[i] : 0);
    counts[i + 1] = counts[i] + (known ? 1 : 0);
  }
  return values.map((_, i) => {
    const from = Math.max(0, i - half);
    const to = Math.min(n, i + half + 1);
    return (sums[to] - sums[from]) / (counts[to] - counts[from]);
  });
}

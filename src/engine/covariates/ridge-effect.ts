import { basesOf } from './bases.ts';
import { centredMean } from './features.ts';
import { ridgeEffects } from './ridge.ts';
import { windowsOf } from './tree-effect.ts';
import type { Covariate, Effect, Lesson } from './types.ts';

/** Deviations beyond so many standard deviations count as if they were so large. */
const bound = 4;

/**
 * Effects by ridge regression on bends, lags and products, of what moves faster than the level. Dozens of covariates that
 * go together share their effect; one that tells nothing is drawn to 0.
 */
export function ridgeEffect({ values, covariates, periods, length }: Lesson): Effect {
  const { width, block } = windowsOf(periods, values.length);
  const level = centredMean(values, width);
  const deviation = values.map((value, i) => value - level[i]);
  const known = deviation.filter(Number.isFinite);
  const most = bound * Math.sqrt(known.reduce((sum, value) => sum + value * value, 0) / known.length);
  const target = deviation.map((value) => Math.max(-most, Math.min(most, value)));
  const bases = basesOf(covariates, periods, length);
  const levels = bases.columns.map((column) => centredMean(column, width));
  const around = (columns: readonly Float64Array[]): Float64Array[] =>
    columns.map((column, k) => column.map((value, i) => value - levels[k][i]));
  const halves = Uint8Array.from(values, (_, i) => Math.floor(i / block) % 2);
  const fit = ridgeEffects(around(bases.columns), bases.given, target, halves);
  return {
    values: fit.effect,
    of(others: readonly Covariate[], from: number): Float64Array {
      return fit.of(around(basesOf(others, periods, length, covariates).columns), from);
    },
  };
}

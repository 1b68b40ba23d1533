import { familyOf } from '../ensemble/ensemble.ts';
import type { Series } from '../prepare/series.ts';
import { clamp } from '../statistics.ts';
import { calibratedProbabilities, calibration, type CalibratedKind } from './calibration-table.ts';
import { bounded, changesOver, characterOf, logRatio } from './character.ts';

/** A point forecast and its quantiles. */
interface Bands {
  readonly point: Float64Array;
  readonly quantile: (level: number, step: number) => number;
}

/** A factor on a band, as its logarithm, is no farther from 0. */
const mostCorrection = 0.6;
/** The place of the 80 % interval. */
const middle = calibratedProbabilities.indexOf(0.8);
/** Of fewer points there is no character to tell. */
const fewestPoints = 8;
const dayInHours = 24;
/** A longer cycle of steps above the day is the year in weeks. */
const mostDays = 24;

/**
 * Bands as wide as the character of the series asks for, beyond what its own past errors have said: each step's central
 * intervals are widened by a factor that the table gives for its length, season, tails and movement.
 *
 * @param apart how far the members of the forecast are from each other at each step
 */
export function calibrated({ point, quantile }: Bands, series: Series, apart: Float64Array): Bands {
  if (series.values.length < fewestPoints) return { point, quantile };
  const rows = calibration[kindOf(series)];
  let common: { readonly character: Float64Array; readonly changes: Float64Array } | undefined;
  const factors: (Float64Array | undefined)[] = [];
  const knots: (Float64Array | undefined)[] = [];

  /** How far the intervals of the table reach to one side. */
  function knotsAt(step: number, side: number): Float64Array {
    return (knots[side < 0 ? 2 * step : 2 * step + 1] ??= Float64Array.from(
      calibratedProbabilities,
      (probability) => side * (quantile(0.5 + (side * probability) / 2, step) - point[step]),
    ));
  }

  function factorsAt(step: number): Float64Array {
    common ??= { character: characterOf(series), changes: changesOver(series.values, point.length) };
    const { character, changes } = common;
    const half = (knotsAt(step, -1)[middle] + knotsAt(step, 1)[middle]) / 2;
    const own = [
      logRatio(half, changes[step]),
      0.3 * Math.log(step + 1) - 0.6,
      Math.log((apart[step] + 1e-12) / (half + 1e-12) + 0.1) + 1.5,
    ];
    return Float64Array.from(rows, (row) => {
      let sum = row[0];
      character.forEach((value, i) => (sum += row[1 + i] * value));
      own.forEach((value, i) => (sum += row[1 + character.length + i] * bounded(value)));
      return Math.exp(clamp(sum, -mostCorrection, mostCorrection));
    });
  }

  return {
    point,
    quantile(level, step) {
      if (level === 0.5) return point[step];
      const side = level < 0.5 ? -1 : 1;
      const factorsHere = (factors[step] ??= factorsAt(step));
      const offset = side * (quantile(level, step) - point[step]);
      return point[step] + side * widened(offset, Math.abs(2 * level - 1), knotsAt(step, side), factorsHere);
    },
  };
}

/** The offset of a level, exact at the probabilities of the table and rising between them, as it did before. */
function widened(offset: number, probability: number, knots: Float64Array, factors: Float64Array): number {
  let [before, after] = [0, 0];
  for (let k = 0; k < factors.length; k++) {
    const knot = knots[k];
    const next = Math.max(after, factors[k] * knot);
    if (probability <= calibratedProbabilities[k]) {
      const rise = knot - before;
      // No rounding may make levels cross.
      return rise > 0 ? Math.min(next, after + ((next - after) * (offset - before)) / rise) : next;
    }
    [before, after] = [knot, next];
  }
  return after + factors[factors.length - 1] * Math.max(0, offset - before);
}

function kindOf(series: Series): CalibratedKind {
  const family = familyOf(series);
  if (family === 'intraday') return series.candidates[0] <= dayInHours ? 'hour' : 'minutes';
  if (family !== 'long') return family;
  return series.candidates[0] > mostDays ? 'week' : 'day';
}

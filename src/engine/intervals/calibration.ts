import { familyOf } from '../ensemble/ensemble.ts';
import type { Series } from '../prepare/series.ts';
import { clamp } from '../statistics.ts';
import { calibratedProbabilities, calibration, type CalibratedKind } from './calibration-table.ts';
import { bounded, changesOver, characterOf, logRatio, pastCharacter, tailsOf } from './character.ts';

/** A point forecast and its quantiles. */
interface Bands {
  readonly point: Float64Array;
  readonly quantile: (level: number, step: number) => number;
}

/** A factor on a band, as its logarithm, is no farther from 0. */
export const mostCorrection = 0.8;
/** The place of the 80 % interval. */
const middle = calibratedProbabilities.indexOf(0.8);
/** Far below every change worth a forecast, in units of about the size of the values. */
const tiny = 1e-9;
/** Of fewer points there is no character to tell. */
export const fewestPoints = 8;
/** A longer cycle of steps above the day is the year in weeks. */
const mostDays = 24;

/** What tells of a forecast how wide its bands must be. */
export interface Evidence {
  /** How far the members of the forecast are from each other at each step. */
  readonly apart: Float64Array;
  /** The last season repeated, or the last value. */
  readonly repeated: Float64Array;
  /** How far forecasts were wrong at origins in the past; see `Spread`. */
  readonly pastErrors: () => readonly Float64Array[];
}

/** The numbers that the table weighs: those of the whole forecast, and those of a step. */
export interface BandCharacter {
  readonly whole: readonly number[];
  readonly ofStep: (step: number) => readonly number[];
}

/** @param halves half the width of the 80 % interval at each step */
export function characterOfBands(
  point: Float64Array,
  halves: Float64Array,
  series: Series,
  { apart, repeated, pastErrors }: Evidence,
): BandCharacter {
  const changes = changesOver(series.values, point.length);
  let gone = 0;
  let change = 0;
  for (let i = 0; i < point.length; i++) {
    gone += Math.abs(point[i] - repeated[i]);
    change += changes[i];
  }
  const departure = bounded(Math.log(gone / (change + tiny) + 0.1));
  return {
    whole: [
      ...characterOf(series),
      ...pastCharacter(pastErrors(), halves),
      departure,
      // Of the other kinds it told nothing of groups that were left out.
      kindOf(series) === 'day' ? tailsOf(series, point.length) : 0,
    ],
    ofStep: (step) => [
      bounded(logRatio(halves[step], changes[step])),
      0.3 * Math.log(step + 1) - 0.6,
      bounded(Math.log(apart[step] / (halves[step] + tiny) + 0.1) + 1.5),
    ],
  };
}

/**
 * Bands as wide as the character of the series asks for, beyond what its own past errors have said: each step's central
 * intervals are widened by a factor that the table gives for its length, season, tails, movement and past errors.
 */
export function calibrated({ point, quantile }: Bands, series: Series, evidence: Evidence): Bands {
  if (series.values.length < fewestPoints) return { point, quantile };
  const rows = calibration[kindOf(series)];
  /** What each row of the table makes of the whole forecast. */
  let sums: readonly number[] = [];
  let character: BandCharacter | undefined;
  const factors: (Float64Array | undefined)[] = [];
  const knots: (Float64Array | undefined)[] = [];

  /** How far the intervals of the table reach to one side. */
  function knotsAt(step: number, side: number): Float64Array {
    return (knots[side < 0 ? 2 * step : 2 * step + 1] ??= Float64Array.from(
      calibratedProbabilities,
      (probability) => side * (quantile(0.5 + (side * probability) / 2, step) - point[step]),
    ));
  }

  function characterNow(): BandCharacter {
    const halves = point.map((_, step) => (knotsAt(step, -1)[middle] + knotsAt(step, 1)[middle]) / 2);
    const found = characterOfBands(point, halves, series, evidence);
    sums = rows.map((row) => found.whole.reduce((sum, value, i) => sum + row[1 + i] * value, row[0]));
    return found;
  }

  function factorsAt(step: number): Float64Array {
    character ??= characterNow();
    const own = character.ofStep(step);
    const from = 1 + character.whole.length;
    return Float64Array.from(rows, (row, k) => {
      let sum = sums[k];
      for (let i = 0; i < own.length; i++) sum += row[from + i] * own[i];
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

export function kindOf(series: Series): CalibratedKind {
  const family = familyOf(series);
  if (family !== 'long') return family;
  return series.candidates[0] > mostDays ? 'week' : 'day';
}

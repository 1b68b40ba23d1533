import { shrunkCovariance } from './covariance.ts';
import { type Place, quantileOf, valueAt } from '../quantiles.ts';
import { momentsOf, placeOf, scoresOf } from './paths.ts';
import { projectionOf } from './projection.ts';
import { addUp, type Structure } from './structure.ts';
import { mean } from '../statistics.ts';

/** A forecast of one series, made without a look at the others. */
export interface Base {
  readonly point: Float64Array;
  /** One row for each of `pathLevels`. */
  readonly rows: readonly Float64Array[];
  /** Of counts, whose median tells little: the expected value of each step, which is what adds up. */
  readonly mean?: number | undefined;
  /** What could not be expected one step ahead, of the same steps for all series. */
  readonly errors: Float64Array;
}

/** A forecast of one series that adds up with the others. */
export interface Coherent {
  readonly point: Float64Array;
  /** One row for each level asked for. */
  readonly quantiles: readonly Float64Array[];
}

export interface TotalsQuestion {
  readonly structure: Structure;
  readonly bases: readonly Base[];
  /** Rising, in (0, 1). */
  readonly levels: readonly number[];
  /** Whether no series ever was below 0. */
  readonly nonNegative: boolean;
  /** Sample paths behind the quantiles, an even number. */
  readonly paths?: number;
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Forecasts that add up: at every step the point forecast of each total is the sum of those of its parts, to rounding.
 *
 * Point forecasts are moved by the projection of least variance ({@link projectionOf}). Quantiles are those of sample
 * paths: each draws a value of every series from its own forecast ({@link scoresOf}), and is projected alike
 * (Panagiotelis, Gamakumara, Athanasopoulos and Hyndman 2023), so that every path adds up. The quantiles of a total are not the sums of
 * those of its parts, since not all parts are high at once. Where no series is below 0, what would be is set to 0 and the
 * others are scaled to their totals.
 */
export function forecastTotals(question: TotalsQuestion): Coherent[] {
  const { structure, bases, levels } = question;
  const horizon = bases[0]?.point.length ?? 0;
  const errors = bases.map((base) => base.errors);
  const covariance = shrunkCovariance(structure, errors);
  const project = projectionOf(structure, covariance);
  const keep = question.nonNegative ? keepingAboveZero(structure, bases) : undefined;
  const settle = (values: Float64Array, step: number): void => {
    project(values);
    keep?.(values, step);
  };
  const points = bases.map(({ point, mean }) => (mean === undefined ? point.slice() : point.map(() => mean)));
  for (let step = 0; step < horizon; step++) {
    const values = Float64Array.from(points, (point) => point[step]);
    settle(values, step);
    points.forEach((point, i) => (point[step] = values[i]));
  }
  const quantiles = bases.map(() => levels.map(() => new Float64Array(horizon)));
  if (levels.length > 0) fillQuantiles(question, covariance.shrinkage, settle, points, quantiles);
  return points.map((point, i) => ({ point, quantiles: quantiles[i] }));
}

/** Changes the values of a step so that none is below 0, and none above where a series is 0 for certain. */
function keepingAboveZero(structure: Structure, bases: readonly Base[]): (values: Float64Array, step: number) => void {
  const { bottoms, totals } = structure;
  const isClosed = (series: number, step: number): boolean => {
    const { rows, point } = bases[series];
    return point[step] === 0 && rows[0][step] === 0 && rows[rows.length - 1][step] === 0;
  };
  const targets = new Float64Array(totals.length);
  return (values, step) => {
    let isWhole = true;
    for (const series of bottoms) {
      if (values[series] === 0 || (values[series] > 0 && !isClosed(series, step))) continue;
      if (isWhole) totals.forEach((total, a) => (targets[a] = Math.max(0, values[total.series])));
      isWhole = false;
      values[series] = 0;
    }
    if (isWhole) return;
    // Where totals overlap, what scales to one moves another: three rounds.
    for (let round = 0; round < 3; round++) {
      totals.forEach(({ members }, a) => {
        let sum = 0;
        for (const place of members) sum += values[bottoms[place]];
        if (!(sum > 0)) return;
        const factor = targets[a] / sum;
        for (const place of members) values[bottoms[place]] *= factor;
      });
    }
    addUp(structure, values);
  };
}

function fillQuantiles(
  { structure, bases, levels, paths = 256, onProgress }: TotalsQuestion,
  shrinkage: number,
  settle: (values: Float64Array, step: number) => void,
  points: readonly Float64Array[],
  quantiles: readonly (readonly Float64Array[])[],
): void {
  const n = bases.length;
  const horizon = points[0]?.length ?? 0;
  const spreads = Float64Array.from(bases, ({ rows, point }) =>
    Math.sqrt(mean(point.map((_, step) => momentsOf(rows, step).variance))),
  );
  const errors = bases.map((base) => base.errors);
  const places = scoresOf(structure, errors, shrinkage, spreads, paths).map((row): Place[] => Array.from(row, placeOf));
  const drawn = Array.from({ length: paths }, () => new Float64Array(n));
  for (let step = 0; step < horizon; step++) {
    bases.forEach(({ rows, mean }, i) => {
      // interpolated between whole numbers a distribution has another mean
      const factor = mean === undefined ? 1 : mean / (momentsOf(rows, step).mean || mean || 1);
      for (let k = 0; k < paths; k++) drawn[k][i] = factor * valueAt(rows, step, places[i][k]);
    });
    for (const values of drawn) settle(values, step);
    bases.forEach(({ mean, rows }, i) => {
      const one = Float64Array.from(drawn, (values) => values[i]).sort();
      const isCount = mean !== undefined;
      // quantiles of whole numbers are whole: 0.1 sold is none, most of the time
      const written =
        isCount && rows.every((row) => Number.isInteger(row[step])) ? Math.round : (value: number) => value;
      const point = points[i][step];
      // what the paths are off the point forecast, by chance and by their skew
      const shift = isCount ? 0 : point - quantileOf(one, 0.5);
      const floor = one[0] >= 0 && point >= 0 ? 0 : -Infinity;
      levels.forEach((level, l) => {
        quantiles[i][l][step] =
          level === 0.5 && !isCount ? point : written(Math.max(floor, quantileOf(one, level) + shift));
      });
    });
    onProgress?.((step + 1) / horizon);
  }
}

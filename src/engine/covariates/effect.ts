import { forecast } from '../forecast.ts';
import { clamp, rangeOf, dot, factorize, mean, solveFactored } from '../statistics.ts';

export interface Covariate {
  readonly name: string;
  /** One value per step, first those of the history; `NaN` where it is not known. */
  readonly values: Float64Array;
}

export type CovariateCell = number | boolean | string | null | undefined;

const isKnown = (cell: CovariateCell): boolean => cell !== null && cell !== undefined && cell !== '';

/** Of numbers or truth values one, of text one for each value but the most frequent; none for more than 20 texts, or one. */
export function covariateOf(name: string, cells: readonly CovariateCell[]): Covariate[] {
  const numbers = Float64Array.from(cells, (cell) => (isKnown(cell) ? Number(cell) : Number.NaN));
  const isText = cells.some((cell, i) => typeof cell === 'string' && cell !== '' && Number.isNaN(numbers[i]));
  if (!isText) {
    const values = numbers.map((value) => (Number.isFinite(value) ? value : Number.NaN));
    return new Set(values.filter(Number.isFinite)).size > 1 ? [{ name, values }] : [];
  }
  const counts = new Map<string, number>();
  for (const cell of cells) if (isKnown(cell)) counts.set(String(cell), (counts.get(String(cell)) ?? 0) + 1);
  if (counts.size > 20 || counts.size < 2) return [];
  const [, ...others] = [...counts].sort(([, a], [, b]) => b - a);
  return others.map(([text]) => ({
    name: `${name} = ${text}`,
    values: Float64Array.from(cells, (cell) => (isKnown(cell) ? Number(String(cell) === text) : Number.NaN)),
  }));
}

export function isSwitch(values: Float64Array): boolean {
  const other = values.find((value) => value !== values[0]);
  return values.every((value) => value === values[0] || value === other);
}

export type Completed = ReturnType<typeof complete>;

/** Gaps are as before, the end is forecast within the past's range: `low` and `high` are 10% and 90% quantiles. */
export function complete({ name, values }: Covariate, periods: readonly number[]) {
  const end = values.findLastIndex(Number.isFinite) + 1;
  let last = values.find(Number.isFinite) ?? 0;
  const known = values.map((value) => (last = Number.isFinite(value) ? value : last));
  const horizon = values.length - end;
  const withValues = (values: Float64Array): Covariate => ({ name, values });
  if (horizon === 0 || end === 0) return { covariate: withValues(known), forecast: 0, low: known, high: known };
  const history = known.subarray(0, end);
  const range = rangeOf(history);
  const { point, quantiles } = forecast('ensemble', { values: history, periods, horizon, levels: [0.1, 0.9] });
  const [middle, low, high] = [point, ...quantiles].map((row) =>
    known.map((value, i) => (i < end ? value : clamp(row[i - end], range.low, range.high))),
  );
  return { covariate: withValues(middle), forecast: horizon, low, high };
}

export interface Scale {
  readonly to: (value: number) => number;
  readonly from: (value: number) => number;
}

export type Effect = ReturnType<typeof effectOf>;

export interface TrainingPart {
  readonly values: Float64Array;
  readonly covariates: readonly Covariate[];
  readonly periods: readonly number[];
  readonly length: number;
}

export const plain: Scale = { to: (value) => value, from: (value) => value };
const root: Scale = { to: (value) => Math.sqrt(Math.max(0, value)), from: (value) => Math.max(0, value) ** 2 };

export function scalesOf(values: Float64Array): Scale[] {
  return values.some((value) => value < 0) ? [plain] : [plain, root];
}

/**
 * Effects by ridge regression (Hoerl and Kennard 1970) on what moves faster than the level. Alternating blocks of the
 * history make two halves, each predicted from the other, so that errors in the past are as large as in the future. In
 * three rounds of fitting, errors beyond four standard deviations count as if they were so large.
 */
export function effectOf(part: TrainingPart, scale: Scale) {
  const { covariates, periods, length } = part;
  const values = part.values.map(scale.to);
  const { width, block } = blocksOf(periods, values.length);
  const level = centeredMean(values, width);
  const deviation = values.map((value, i) => value - level[i]);
  const profile = profileOf(deviation, periods, length);
  const bases = basesOf(covariates, periods, length, covariates, profile);
  const levels = bases.columns.map((column) => centeredMean(column, width));
  const centered = (columns: readonly Float64Array[]): Float64Array[] =>
    columns.map((column, k) => column.map((value, i) => value - levels[k][i]));
  const columns = centered(bases.columns);
  const halfOf = (i: number): number => Math.floor(i / block) % 2;
  const known = Array.from(deviation.keys()).filter((i) => Number.isFinite(deviation[i]));
  const halves = [0, 1].map((half) => known.filter((i) => halfOf(i) === half));
  const fit = ridgeOf(columns, bases.given, halves);
  let fitted = new Float64Array(deviation.length);
  let weights: readonly Float64Array[] = [];
  for (let round = 0; round < 3; round++) {
    const squares = known.reduce((sum, i) => sum + (deviation[i] - fitted[i]) ** 2, 0);
    const most = 4 * Math.sqrt(squares / known.length);
    weights = fit(deviation.map((value, i) => fitted[i] + clamp(value - fitted[i], -most, most)));
    const last = weights[2];
    fitted = fitted.map((_, i) => columns.reduce((sum, column, k) => sum + last[k] * column[i], 0));
  }
  const sumOf = (own: readonly Float64Array[], from: number): Float64Array => {
    const effect = new Float64Array(length);
    for (let i = from; i < length; i++) {
      const each = weights[i < deviation.length ? 1 - halfOf(i) : 2];
      for (let k = bases.given; k < own.length; k++) effect[i] += each[k] * own[k][i];
    }
    return effect;
  };
  return {
    scale,
    values: sumOf(columns, 0),
    /** The same for other values of the covariates, from a step on; 0 before it. */
    of: (others: readonly Covariate[], from: number) =>
      sumOf(centered(basesOf(others, periods, length, covariates, profile).columns), from),
  };
}

/** The penalty is chosen on halves of the rows, each predicted from the other. Gives weights of either half, and of both. */
export function ridgeOf(
  columns: readonly Float64Array[],
  given: number,
  halves: readonly (readonly number[])[],
): (target: Float64Array) => readonly Float64Array[] {
  const size = columns.length;
  const counts = [...halves.map(({ length }) => length), halves[0].length + halves[1].length];
  const units = columns.map((column) => {
    const spread = Math.sqrt(mean(Float64Array.from(halves.flat(), (row) => column[row] ** 2)));
    return spread > 1e-12 ? 1 / spread : 0;
  });
  const picked = halves.map((rows) =>
    columns.map((column, k) => Float64Array.from(rows, (row) => column[row] * units[k])),
  );
  const matrices = picked.map((own) => {
    const matrix = new Float64Array(size * size);
    for (let k = 0; k < size; k++) {
      for (let l = 0; l <= k; l++) matrix[k * size + l] = matrix[l * size + k] = dot(own[k], own[l]);
    }
    return matrix;
  });
  matrices.push(matrices[0].map((value, i) => value + matrices[1][i]));
  const factors = [3e-4, 3e-3, 0.03, 0.15, 0.6, 3].map((penalty) =>
    matrices.map((matrix, half) => {
      const penalized = matrix.slice();
      for (let k = 0; k < size; k++) {
        penalized[k * size + k] += (k < given ? 0.01 : 1) * penalty * Math.max(1, counts[half]) + 1e-9;
      }
      return factorize(penalized, size);
    }),
  );
  return (target) => {
    const rights = halves.map((rows, half) => {
      const wanted = Float64Array.from(rows, (row) => target[row]);
      return Float64Array.from(picked[half], (column) => dot(column, wanted));
    });
    rights.push(rights[0].map((value, i) => value + rights[1][i]));
    const errorOn = (half: number, weights: Float64Array): number =>
      weights.reduce(
        (sum, weight, k) =>
          sum + weight * (dot(matrices[half].subarray(k * size, (k + 1) * size), weights) - 2 * rights[half][k]),
        0,
      );
    let least = Infinity;
    let best: Float64Array[] = [];
    for (const factor of factors) {
      const weights = factor.map((each, half) => solveFactored(each, rights[half].slice()));
      const error = errorOn(1, weights[0]) + errorOn(0, weights[1]);
      if (best.length > 0 && !(error < least)) continue;
      least = error;
      best = weights;
    }
    return best.map((weights) => weights.map((weight, k) => weight * units[k]));
  };
}

export function blocksOf(periods: readonly number[], length: number): { width: number; block: number } {
  const [short = 1, long = short] = periods.map(Math.round);
  const cycle = long <= 40 * short ? long : short;
  const block = Math.max(1, Math.min(Math.max(cycle < 40 ? 2 * cycle : cycle, 6), Math.floor(length / 6)));
  return { width: 4 * block, block };
}

export function centeredMean(values: Float64Array, width: number): Float64Array {
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

/** The mean deviation at each place in the longest cycle that is there four times; of spread 1. */
function profileOf(deviation: Float64Array, periods: readonly number[], length: number): Float64Array | undefined {
  const period = periods.map(Math.round).findLast((each) => 4 * each <= deviation.length);
  if (period === undefined) return undefined;
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  deviation.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    sums[i % period] += value;
    counts[i % period]++;
  });
  const means = sums.map((sum, phase) => (counts[phase] > 0 ? sum / counts[phase] : 0));
  const spread = Math.sqrt(dot(means, means) / period) || 1;
  return Float64Array.from({ length }, (_, i) => means[i % period] / spread);
}

/**
 * Columns for a regression: `given` ones of the calendar (a short cycle step by step, a longer one by waves), then of each
 * covariate its bends, lags, and products with hours and switches; of more than ten covariates no products.
 * @param like the covariates of which center, spread and bends are taken
 * @param profile how high each step usually is by its place in the calendar: a holiday takes that away
 */
function basesOf(
  covariates: readonly Covariate[],
  periods: readonly number[],
  length: number,
  like = covariates,
  profile?: Float64Array,
): { readonly columns: readonly Float64Array[]; readonly given: number } {
  const at = (of: (i: number) => number): Float64Array => Float64Array.from({ length }, (_, i) => of(i));
  const whole = periods.map(Math.round).filter((period) => 2 * period < length);
  const calendar = whole.flatMap((period, k) => {
    const steps = k === 0 ? 1 : period % whole[k - 1] === 0 ? whole[k - 1] : 0;
    if (!(steps > 0 && period / steps <= 24)) return waves(periods[k], length);
    return Array.from({ length: period / steps }, (_, phase) =>
      at((i) => (Math.floor((i % period) / steps) === phase ? 1 : 0)),
    );
  });
  const short = whole[0] ?? 1;
  const isDay = whole.length > 1 && whole[1] % short === 0;
  const day = isDay ? short : 1;
  const few = covariates.length <= 10;
  const hours = few && isDay && short > 3 ? waves(short, length) : [];
  const standard = covariates.map(({ values }, k) => unit(values, like[k].values));
  const switches = standard.filter((_, k) => few && isSwitch(like[k].values));
  const columns = standard.flatMap((own, k): Float64Array[] => {
    const shifted = (lag: number): Float64Array => at((i) => own[Math.max(0, Math.min(length - 1, i - lag))]);
    const times = (others: readonly Float64Array[], of = own): Float64Array[] =>
      others.map((other) => of.map((value, i) => value * other[i]));
    if (isSwitch(like[k].values)) {
      return [own, shifted(day), shifted(-day), ...times(profile ? [profile] : []), ...times(hours)];
    }
    const sorted = unit(like[k].values, like[k].values).sort();
    const above = (share: number): Float64Array => {
      const knot = sorted[Math.floor(share * (length - 1))];
      return own.map((value) => Math.max(0, value - knot));
    };
    return [
      own,
      ...[0.2, 0.5, 0.8].map(above),
      shifted(1),
      at((i) => mean(own.subarray(Math.max(0, i - day + 1), i + 1))),
      ...(day > 1 ? [shifted(day)] : []),
      ...times(hours.slice(0, 4)),
      ...times(hours.slice(0, 2), above(0.6)),
      ...times(switches.slice(0, 4)),
    ];
  });
  return { columns: [...calendar, ...columns], given: calendar.length };
}

function waves(period: number, length: number): Float64Array[] {
  return [1, 2, 3].flatMap((k) => {
    if (2 * k >= period) return [];
    const angle = (2 * Math.PI * k) / period;
    return [Math.sin, Math.cos].map((wave) => Float64Array.from({ length }, (_, i) => wave(angle * i)));
  });
}

function unit(values: Float64Array, others: Float64Array): Float64Array {
  const center = mean(others);
  const spread = Math.sqrt(mean(others.map((value) => (value - center) ** 2))) || 1;
  return values.map((value) => (value - center) / spread);
}

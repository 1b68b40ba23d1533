/** Forecasts of series that add up: each by itself first, then all together. */
import type { Grid } from '../../calendar/grid.ts';
import { frequencyCode } from '../../calendar/frequency.ts';
import { failure } from '../../contract/failures.ts';
import type { BacktestSummary, TotalsSummary } from '../../contract/resources.ts';
import { type Fold, scoreLevels, scoresOf, forecast } from '../../engine/forecast.ts';
import { forecastWithCovariates } from '../../engine/covariates/forecast.ts';
import { meanChange, seasonOf } from '../../engine/rolling-origins.ts';
import { mean } from '../../engine/statistics.ts';
import { type Base, type Coherent, forecastTotals, oneStepErrors, pathLevels } from '../../engine/totals/reconcile.ts';
import { type Structure, structureOf, type Sum } from '../../engine/totals/structure.ts';
import type { EngineForecast } from '../../engine/types.ts';
import { JobError } from '../errors.ts';
import { detailsOf, type ReadyForecast, readyForecast, summarize } from './predict.ts';
import { type ForecastOptions, type OfSeries, type OnProgress, seriesOf } from './series.ts';

interface SharedGridTask extends OfSeries, Pick<ForecastOptions, 'model' | 'horizon'> {
  readonly count: number;
}

export type SharedGrid = ReturnType<typeof sharedGridOf>;

interface BasesTask extends Pick<ForecastOptions, 'model' | 'parameters' | 'contextLength'> {
  readonly points: readonly string[];
  readonly shared: SharedGrid;
}

export type SumBase = ReturnType<typeof baseOf>;

interface Outcome extends Pick<Fold, 'naive' | 'halfScale'> {
  readonly actual: Float64Array;
  readonly squareScale: number;
}

interface SumsTask {
  readonly bases: readonly SumBase[];
  readonly sums: readonly Sum[];
  readonly names: readonly string[];
  readonly levels: readonly number[];
}

/** Of so many steps the errors are looked at: what series have in common changes, and more of them take longer. */
const MOST_ERRORS = 128;
const MOST_ERRORS_OF_MANY = 64;
const MANY = 1_000;
const LOOKED_AT = 100;
const FEWEST_BEFORE_FOLD = 8;

/** What all series of sums share, as their longest one says it. @throws JobError where it has no regular step */
export function sharedGridOf({ points, horizon, model, count }: SharedGridTask) {
  const { grid, input, row } = seriesOf(points, { model, horizon, levels: [] }, { unobserved: 'sums_unobserved' });
  if (!grid.frequency && row === undefined) throw new JobError(failure('sums_no_step'));
  const length = grid.values.length;
  const most = count > MANY ? MOST_ERRORS_OF_MANY : MOST_ERRORS;
  const fold = Math.min(input.horizon, length >> 2);
  return {
    frequency: grid.frequency,
    horizon: input.horizon,
    errors: Math.min(most, length >> 1),
    fold: length - fold >= FEWEST_BEFORE_FOLD ? fold : 0,
    end: endOf(grid),
  };
}

const endOf = ({ timeAt, values }: Grid): number => timeAt(values.length - 1);

export const forecastBases = (task: BasesTask): SumBase[] => task.points.map((points) => baseOf(points, task));

function baseOf(json: string, { model, parameters, contextLength, shared }: BasesTask) {
  const wanted = { model, contextLength, horizon: shared.horizon, levels: pathLevels };
  const series = seriesOf(json, wanted, { frequency: shared.frequency, unobserved: 'sums_unobserved' });
  const { grid, row } = series;
  const { periods } = series.input;
  let late = 0;
  while (grid.timeAt(grid.values.length + late) <= shared.end) late++;
  const whole = new Float64Array(grid.values.length + late).fill(NaN);
  whole.set(grid.values);
  const lastOf = (values: Float64Array) => values.subarray(Math.max(0, values.length - (contextLength ?? Infinity)));
  const ask = (values: Float64Array, horizon: number) =>
    forecast(model, { values: lastOf(values), periods, horizon, levels: pathLevels }, parameters);
  const { input, covariates } = series;
  const made = late === 0 ? forecastWithCovariates(model, input, covariates, parameters) : ask(whole, shared.horizon);
  const base = (values: Float64Array, result: EngineForecast): Base => ({
    point: result.point,
    rows: result.quantiles,
    mean: result.demand?.mean,
    // the season that a forecast of counts leaves out is an error of all of them at once
    errors: oneStepErrors(values, result.demand ? 1 : (periods[0] ?? 1), shared.errors),
  });
  return {
    ...base(whole, made),
    times: Float64Array.from({ length: shared.horizon }, (_, step) => grid.timeAt(whole.length + step)),
    end: endOf(grid),
    row: row === undefined ? undefined : row + late,
    frequency: grid.frequency && frequencyCode(grid.frequency),
    recent: whole.slice(-LOOKED_AT),
    isNegative: whole.some((value) => value < 0),
    fold: shared.fold > 0 ? foldOf(whole) : undefined,
    details: detailsOf(series, made),
  };

  function foldOf(values: Float64Array): Base & Outcome {
    const before = values.slice(0, Math.max(0, values.length - shared.fold));
    const actual = values.slice(before.length);
    const season = seasonOf(periods, before.length);
    const changes = before.map((value, i) => value - before[i - season]).filter(Number.isFinite);
    const halfScale = meanChange(before, season) / 2;
    const outcome = { actual, halfScale, squareScale: mean(changes.map((change) => change ** 2)) };
    if (before.some(Number.isFinite)) {
      const asked = { values: before, periods, horizon: shared.fold, levels: [] };
      const { point: naive } = forecast('seasonal-naive', asked);
      return { ...base(before, ask(before, shared.fold)), ...outcome, naive };
    }
    const zeros = new Float64Array(shared.fold);
    const errors = new Float64Array(shared.errors);
    return { point: zeros, rows: pathLevels.map(() => zeros), errors, ...outcome, naive: zeros };
  }
}

/** A history adds up where a total is off its parts by less than this share of it, at nearly all steps. */
const MOST_OFF = 0.01;
const MOST_STEPS_OFF = 0.1;
const FOLD_PATHS = 64;

/** Reconciles forecasts, and scores each level one horizon before. @throws JobError for sums that do not add up */
export function addUpForecasts({ bases, sums, names, levels }: SumsTask, onProgress: OnProgress): ReadyForecast[] {
  const structure = structureOf(bases.length, sums);
  checkHistory(structure, bases, names);
  const nonNegative = !bases.some(({ isNegative }) => isNegative);
  const made = forecastTotals({
    structure,
    bases,
    levels,
    nonNegative,
    paths: bases.length > 1_000 ? 128 : 256,
    onProgress: (fraction) => onProgress({ fraction }),
  });
  const folds = bases.flatMap(({ fold }) => (fold ? [fold] : []));
  const tested =
    folds.length === bases.length
      ? forecastTotals({ structure, bases: folds, levels: scoreLevels, nonNegative, paths: FOLD_PATHS })
      : undefined;
  const scores = tested && bases.map((base, i) => scoreOf(base, tested[i]));
  const levelScores = levelsOf(structure, scores);
  return bases.map((base, i) => {
    const level = structure.levels[i];
    const totals: TotalsSummary = { level, levels: levelScores, mase_alone: scores?.[i]?.alone.mase };
    const details = { ...base.details, backtest: scores?.[i]?.summary, ...(level < 0 ? {} : { totals }) };
    const { times, mean, row, frequency } = base;
    const meanAt = mean === undefined ? undefined : (step: number) => made[i].point[step];
    const steps = { timeAt: (step: number) => times[step], levels, meanAt, row, frequency };
    return readyForecast(made[i], steps, base.recent, details);
  });
}

/** @throws JobError that names the first total that is not the sum of its parts */
function checkHistory({ totals }: Structure, bases: readonly SumBase[], names: readonly string[]): void {
  for (const { series, members } of totals) {
    const whole = bases[series].recent;
    let [looked, off] = [0, 0];
    for (let i = 1; i <= whole.length; i++) {
      const total = whole[whole.length - i];
      let [sum, size] = [0, 0];
      for (const member of members) {
        const { recent } = bases[member];
        // what is before the start of a part is none of it, what is missing is not known
        const value = i <= recent.length ? recent[recent.length - i] : 0;
        sum += value;
        size += Math.abs(value);
      }
      if (!Number.isFinite(total - sum)) continue;
      looked++;
      if (Math.abs(total - sum) > MOST_OFF * Math.max(size, Math.abs(total))) off++;
    }
    if (off > MOST_STEPS_OFF * looked) throw new JobError(failure('not_sum_of_parts', names[series], off, looked));
  }
}

type Scored = Pick<BacktestSummary, 'mase'> & { readonly rmsse?: number | undefined };

function scoreOf({ fold }: SumBase, coherent: Coherent) {
  if (!fold) return undefined;
  const { actual, mean: expected, squareScale } = fold;
  const horizon = actual.length;
  const scored = (point: Float64Array) => {
    const tested = scoresOf(actual, { horizon, folds: [{ ...fold, ...coherent, point, end: 0 }] });
    const squares = actual.map((value, step) => (value - point[step]) ** 2).filter(Number.isFinite);
    const rmsse = squareScale > 0 ? Math.sqrt(mean(squares) / squareScale) : undefined;
    return tested && { ...summarize(tested, true), rmsse };
  };
  const alone = scored(expected === undefined ? fold.point : fold.point.map(() => expected));
  const together = scored(coherent.point);
  if (!alone || !together) return undefined;
  const { rmsse: _, ...summary } = together;
  return { alone, together, summary };
}

function levelsOf({ levels }: Structure, scores: readonly ReturnType<typeof scoreOf>[] | undefined) {
  const count = levels.reduce((most, level) => Math.max(most, level), 0) + 1;
  return Array.from({ length: count }, (_, level) => {
    const those = (scores ?? []).filter((one, i) => one !== undefined && levels[i] === level);
    const meanOf = (way: 'alone' | 'together', name: keyof Scored) => {
      const known = those.flatMap((one) => one?.[way][name] ?? []);
      return known.length > 0 ? mean(Float64Array.from(known)) : undefined;
    };
    return {
      series: levels.filter((one) => one === level).length,
      mase: meanOf('together', 'mase'),
      mase_alone: meanOf('alone', 'mase'),
      rmsse: meanOf('together', 'rmsse'),
      rmsse_alone: meanOf('alone', 'rmsse'),
    };
  });
}

import { defaultHorizon, seasonalPeriods, type Frequency } from '../../calendar/frequency.ts';
import type { Grid } from '../../calendar/grid.ts';
import { frequencyCode } from '../../calendar/duration.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { forecastWithCovariates } from '../../engine/covariates/forecast.ts';
import { forecast } from '../../engine/forecast.ts';
import { pathLevels } from '../../engine/totals/paths.ts';
import type { Base } from '../../engine/totals/reconcile.ts';
import { oneStepErrors } from '../../engine/totals/residuals.ts';
import type { EngineForecast } from '../../engine/types.ts';
import { JobError } from '../errors.ts';
import { gridOf, toNumbers } from '../store/points.ts';
import { knownBeforehand, summarizeCovariates } from './covariates.ts';
import type { BasesTask, SharedGrid, SumBase } from './tasks.ts';

/** Of so many steps the errors are looked at: what series have in common changes, and more of them take longer. */
const MOST_ERRORS = 128;
const MOST_ERRORS_OF_MANY = 64;
const MANY = 1_000;
/** Of so many of the last steps it is seen whether parts and totals add up. */
const LOOKED_AT = 100;
const FEWEST_BEFORE_FOLD = 8;

/** What all series of sums share, as their longest one says it. @throws JobError where it has no regular step */
export function sharedGridOf(points: string, horizon: number | undefined, count: number): SharedGrid {
  const { grid, numbers, ahead } = read(points, undefined);
  if (!grid.frequency && !numbers.rows)
    throw new JobError('The longest of the series has no regular step, so that forecasts of them cannot add up.');
  const length = grid.values.length;
  const steps = (horizon ?? ahead) || defaultHorizon(grid.frequency, length);
  const most = count > MANY ? MOST_ERRORS_OF_MANY : MOST_ERRORS;
  const fold = Math.min(steps, length >> 2);
  return {
    frequency: grid.frequency,
    horizon: steps,
    errors: Math.min(most, length >> 1),
    fold: length - fold >= FEWEST_BEFORE_FOLD ? fold : 0,
    end: endOf(grid),
  };
}

/** Forecasts of some series, each by itself, with what it takes for them to add up; and again from one horizon before. */
export function forecastBases(task: BasesTask): SumBase[] {
  return task.points.map((points) => baseOf(points, task));
}

const endOf = ({ timeAt, values }: Grid): number => timeAt(values.length - 1);

function read(json: string, frequency: Frequency | undefined) {
  const all = JSON.parse(json) as SeriesPoint[];
  const known = knownBeforehand(all);
  const points = known?.history ?? all;
  const numbers = toNumbers(points);
  if (!numbers.values.some(Number.isFinite))
    throw new JobError('One of the series has no observed value, so that forecasts cannot add up with it.');
  const grid = gridOf(numbers, frequency);
  return { points, numbers, known, grid, ahead: known?.stepsAhead(grid) };
}

function baseOf(json: string, { model, parameters, contextLength, shared }: BasesTask): SumBase {
  const { points, numbers, known, grid } = read(json, shared.frequency);
  const periods = grid.frequency ? seasonalPeriods(grid.frequency) : [];
  const late = missingUntil(grid, shared.end);
  const whole = new Float64Array(grid.values.length + late).fill(NaN);
  whole.set(grid.values);
  const lastOf = (values: Float64Array) =>
    contextLength === undefined ? values : values.slice(Math.max(0, values.length - contextLength));
  const ask = (values: Float64Array, horizon: number) =>
    forecast(model, { values: lastOf(values), periods, horizon, levels: pathLevels }, parameters);
  const input = { values: lastOf(whole), periods, horizon: shared.horizon, levels: pathLevels };
  const covariates = late === 0 && known ? known.covariatesOn(grid, input.values.length) : [];
  const around = covariates.length > 0 ? forecastWithCovariates(model, input, covariates, parameters) : undefined;
  const made = around ?? forecast(model, input, parameters);
  const errorsOf = (values: Float64Array, { demand }: EngineForecast) =>
    // the season that a forecast of counts leaves out is an error of all of them at once
    oneStepErrors(values, demand ? 1 : (periods[0] ?? 1), shared.errors);
  const base = (values: Float64Array, result: EngineForecast): Base => ({
    point: result.point,
    rows: result.quantiles,
    mean: result.demand?.mean,
    errors: errorsOf(values, result),
  });
  const before = whole.slice(0, Math.max(0, whole.length - shared.fold));
  const isYoung = !before.some(Number.isFinite);
  const season = Math.round(periods.find((period) => 2 * period < before.length) ?? 1);
  const lastRow = Number(points.at(-1)?.metadata?.row);
  return {
    ...base(whole, made),
    times: Float64Array.from({ length: shared.horizon }, (_, step) => grid.timeAt(whole.length + step)),
    end: endOf(grid),
    row: numbers.rows ? lastRow + late : undefined,
    recent: whole.slice(-LOOKED_AT),
    isNegative: whole.some((value) => value < 0),
    fold:
      shared.fold === 0
        ? undefined
        : {
            ...(isYoung ? nothing(shared) : base(before, ask(before, shared.fold))),
            actual: whole.slice(before.length),
            naive: repeated(before, season, shared.fold),
            ...scalesOf(before, season),
          },
    details: {
      frequency: grid.frequency && frequencyCode(grid.frequency),
      seasonal_periods: [...made.periods],
      points: points.length,
      gaps: grid.gaps,
      covariates: known && summarizeCovariates(known.names, around?.covariates, input),
    },
  };
}

/** Steps from the end of a grid to the end of the longest. */
function missingUntil(grid: Grid, end: number): number {
  let steps = 0;
  while (grid.timeAt(grid.values.length + steps) <= end) steps++;
  return steps;
}

/** Of a series that began after the fold. */
const nothing = ({ fold, errors }: SharedGrid): Base => ({
  point: new Float64Array(fold),
  rows: pathLevels.map(() => new Float64Array(fold)),
  errors: new Float64Array(errors),
});

/** The last season once more; 0 where it has no value. */
function repeated(values: Float64Array, season: number, horizon: number): Float64Array {
  return Float64Array.from({ length: horizon }, (_, step) => {
    let at = values.length - season + (step % season);
    while (at >= 0 && !Number.isFinite(values[at])) at -= season;
    return at < 0 ? 0 : values[at];
  });
}

/** The mean absolute and the mean squared change over a season; 0 where there is none. */
function scalesOf(values: Float64Array, season: number): { scale: number; squareScale: number } {
  let [sum, squares, count] = [0, 0, 0];
  for (let i = season; i < values.length; i++) {
    const change = Math.abs(values[i] - values[i - season]);
    if (!Number.isFinite(change)) continue;
    sum += change;
    squares += change * change;
    count++;
  }
  return { scale: sum / Math.max(1, count), squareScale: squares / Math.max(1, count) };
}

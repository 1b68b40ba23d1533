/** Forecasts of series, and of the same series from times in their past. */
import type * as z from 'zod/mini';
import { frequencyCode } from '../../calendar/frequency.ts';
import { isoInstant } from '../../calendar/format.ts';
import { type Failure, failure } from '../../contract/failures.ts';
import type { BacktestSummary, CovariateSummary, ForecastDetails, SeriesPoint } from '../../contract/resources.ts';
import { SPARKLINE_POINTS, sparklineOf } from '../../contract/sparkline.ts';
import { type BacktestResult, scoreLevels, scoresOf } from '../../engine/forecast.ts';
import { backtestWithCovariates, forecastWithCovariates } from '../../engine/covariates/forecast.ts';
import type { CovariateForecast, CovariateScores } from '../../engine/covariates/forecast.ts';
import { UnusableDatasetError } from '../../engine/types.ts';
import type { EngineForecast, EngineInput, TunedParameters } from '../../engine/types.ts';
import { isNeural } from '../../engine/models.ts';
import { meanChange } from '../../engine/rolling-origins.ts';
import { tuneNeural } from '../../engine/tuning/neural.ts';
import { packed } from '../store/points.ts';
import { isNotNegative, seriesOf } from './series.ts';
import type { ForecastOptions, OfSeries, OnProgress, TaskSeries } from './series.ts';

export type ForecastTask = ForecastOptions & OfSeries & { readonly kind: 'forecast' };

export type ReadyForecast = ReturnType<typeof readyForecast>;

type Details = z.input<typeof ForecastDetails>;

/** Significant digits of an answer: beyond them the logarithms and sines of JavaScript engines differ. */
const DIGITS = 12;

const rounded = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)));

type Rows = readonly (readonly number[] | Float64Array)[];

export const atLevels = (levels: readonly number[], rows: Rows, step: number) =>
  Object.fromEntries(levels.map((level, index) => [String(level), rounded(rows[index][step])]));

type Steps = ReturnType<typeof stepsAfter>;

export const pointsOf = (
  { point, quantiles }: Pick<EngineForecast, 'point' | 'quantiles'>,
  { timeAt, levels, meanAt, row }: Steps,
): SeriesPoint[] =>
  Array.from(point, (value, step) => ({
    timestamp: isoInstant(timeAt(step)),
    value: rounded(value),
    metadata: {
      ...(levels.length > 0 ? { quantiles: atLevels(levels, quantiles, step) } : {}),
      ...(meanAt ? { mean: rounded(meanAt(step)) } : {}),
      ...(row === undefined ? {} : { row: row + step + 1 }),
    },
  }));

export function readyForecast(
  made: Pick<EngineForecast, 'point' | 'quantiles'>,
  steps: Steps,
  past: Float64Array,
  details: Details,
) {
  const points = pointsOf(made, steps);
  const { row, frequency } = steps;
  const span = row === undefined ? { start: points.at(0)?.timestamp, end: points.at(-1)?.timestamp, frequency } : {};
  const shown = Array.from(past.slice(-SPARKLINE_POINTS.past), (value) => ({ timestamp: '', value }));
  return {
    stored: { points: packed(JSON.stringify(points)), rows: points.length, ...span },
    sparkline: JSON.stringify(sparklineOf(shown, points)),
    details: JSON.stringify(details),
  };
}

export function stepsAfter({ grid, input, row }: TaskSeries, { demand }: EngineForecast) {
  return {
    timeAt: (step: number) => grid.timeAt(grid.values.length + step),
    levels: input.levels,
    meanAt: demand && ((_step: number) => demand.mean),
    row,
    frequency: grid.frequency && frequencyCode(grid.frequency),
  };
}

/** Forecasts one series, ready to be stored. @throws JobError, EngineError */
export function predict(task: ForecastTask, onProgress: OnProgress): ReadyForecast {
  const { model, parameters, levels, fineTuningEpochs, bounds } = task;
  const series = seriesOf(task.points, task);
  const tuning = fineTuningEpochs && isNeural(model) ? tuneOnItself(series, task, onProgress) : undefined;
  const { input, covariates } = series;
  const made = forecastWithCovariates(model, input, covariates, tuning?.parameters ?? parameters);
  // without the tuning on the series itself, which has seen what is to be forecast here
  const asked = { ...input, samples: undefined, levels: scoreLevels };
  const folds = backtestWithCovariates(model, asked, covariates, task, parameters);
  const tested = folds && scoresOf(input.values, folds);
  const { demand } = made;
  const details: Details = {
    ...detailsOf(series, made),
    backtest: tested && summarize(tested, series.count >= FEWEST_POINTS && tested.origins >= FEWEST_FOLDS),
    demand: demand && {
      mean: rounded(demand.mean),
      total: {
        mean: rounded(demand.mean * input.horizon),
        quantiles: Object.fromEntries(levels.map((level, index) => [String(level), rounded(demand.total[index])])),
      },
    },
    bounds: bounds && { ...bounds, not_negative: isNotNegative(bounds, input.values) },
    fine_tuning: tuning?.scores,
    warnings: tuning?.warnings,
  };
  return readyForecast(made, stepsAfter(series, made), series.grid.values, details);
}

/** Forecasts series each by itself; `undefined` for one that cannot be: tried again by itself, it says why. */
export const predictAll = ({ tasks }: { readonly tasks: readonly ForecastTask[] }): (ReadyForecast | undefined)[] =>
  tasks.map((task) => {
    try {
      return predict(task, () => undefined);
    } catch {
      return undefined;
    }
  });

export function detailsOf(series: TaskSeries, { periods, covariates }: CovariateForecast): Details {
  const { grid, count, offered = [], input } = series;
  const used = covariates?.used.map((each) => ({ ...each })) ?? [];
  const summary = { used, backtest: covariates && gainOf(covariates, input) };
  return {
    frequency: grid.frequency && frequencyCode(grid.frequency),
    seasonal_periods: [...periods],
    points: count,
    gaps: grid.gaps,
    covariates: offered.length > 0 ? { ...summary, offered: [...offered] } : undefined,
  };
}

export function gainOf(
  { origins, horizon, errorWith, errorWithout }: CovariateScores,
  { values, periods }: EngineInput,
): NonNullable<CovariateSummary['backtest']> {
  const scale = meanChange(values, Math.round(periods[0] ?? 1));
  return {
    origins,
    horizon,
    mae: errorWith,
    mae_without: errorWithout,
    ...(scale > 0 ? { mase: errorWith / scale, mase_without: errorWithout / scale } : {}),
  };
}

/** Tunes on the one series that is to be forecast; a series that cannot be tuned on is forecast without, and says so. */
function tuneOnItself(
  { grid: { values }, input: { periods, horizon } }: TaskSeries,
  { contextLength, parameters: start, fineTuningEpochs: maxEpochs }: ForecastOptions,
  onProgress: OnProgress,
): { parameters?: TunedParameters; scores?: Details['fine_tuning']; warnings?: Failure[] } {
  try {
    const { parameters, series, baseMase, mase, epochs } = tuneNeural([{ values, periods }], {
      horizon,
      contextLength,
      maxEpochs,
      start,
      onProgress: ({ fraction }) => onProgress({ fraction }),
    });
    return { parameters, scores: { series, base_mase: baseMase, mase, epochs } };
  } catch (error) {
    if (!(error instanceof UnusableDatasetError)) throw error;
    const [first, ...others] = values.filter(Number.isFinite);
    const isConstant = others.every((value) => value === first);
    return { warnings: [failure(isConstant ? 'constant_not_tuned' : 'short_not_tuned')] };
  }
}

const FEWEST_POINTS = 8;
const FEWEST_FOLDS = 2;

export function summarize(result: BacktestResult, isClaimed: boolean): BacktestSummary {
  const { origins, horizon, mase, maseSeasonalNaive } = result;
  const known = (value: number) => (Number.isFinite(value) ? value : undefined);
  return {
    origins,
    horizon,
    smape: known(result.smape),
    mase: known(mase),
    mase_seasonal_naive: known(maseSeasonalNaive),
    skill: isClaimed ? known(1 - mase / maseSeasonalNaive) : undefined,
    coverage80: isClaimed ? known(result.coverage80) : undefined,
  };
}

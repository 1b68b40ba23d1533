import { defaultHorizon, formatDuration, seasonalPeriods } from '../calendar/frequency.ts';
import type { BacktestSummary } from '../contract/local.ts';
import type { SeriesPoint } from '../contract/resources.ts';
import { formatTimestamp } from '../contract/timestamp.ts';
import { backtest } from '../engine/backtest.ts';
import { forecast } from '../engine/forecast.ts';
import { tune } from '../engine/tune.ts';
import type { BacktestResult, EngineInput } from '../engine/types.ts';
import { JobError } from './errors.ts';
import { gridOf, toNumbers } from './points.ts';
import type { ForecastResult, ForecastTask, TuneResult, TuneTask } from './work.ts';

/**
 * Forecasts one series: puts it on a regular grid, asks the engine, and gives each step its timestamp and quantiles
 * (in `metadata.quantiles`, keyed by level).
 * @throws JobError where the series has no observation
 */
export function runForecast({
  points,
  model,
  parameters,
  contextLength,
  horizon,
  levels,
}: ForecastTask): ForecastResult {
  const numbers = toNumbers(points);
  if (!numbers.values.some(Number.isFinite))
    throw new JobError('The series has no observed value, so there is nothing to forecast from.');
  const grid = gridOf(numbers);
  const { frequency } = grid;
  const input: EngineInput = {
    values: lastOf(grid.values, contextLength),
    periods: frequency ? seasonalPeriods(frequency) : [],
    horizon: horizon ?? defaultHorizon(frequency, grid.values.length),
    levels,
  };
  const result = forecast(model, input, parameters);
  const tested = backtest(model, input, {}, parameters);
  const lastRow = Number(points.at(-1)?.metadata?.row);
  const series = Array.from(result.point, (value, step): SeriesPoint => {
    const quantiles = Object.fromEntries(levels.map((level, index) => [String(level), result.quantiles[index][step]]));
    return {
      timestamp: formatTimestamp(grid.timeAt(grid.values.length + step)),
      value,
      metadata: {
        ...(levels.length > 0 ? { quantiles } : {}),
        ...(numbers.rows ? { row: lastRow + step + 1 } : {}),
      },
    };
  });
  return {
    series,
    details: {
      frequency: frequency && formatDuration(frequency),
      seasonal_periods: [...result.periods],
      points: points.length,
      gaps: grid.gaps,
      backtest: tested && summarize(tested),
      warnings: undefined,
    },
  };
}

/**
 * Tunes a base model on a panel. The horizon, where none is given, is the default of the longest series.
 * @throws JobError where no series has an observation
 */
export function runTune(task: TuneTask, onProgress: (fraction: number) => void): TuneResult {
  const grids = task.panel.map((points) => gridOf(toNumbers(points)));
  const longest = grids.reduce((a, b) => (b.values.length > a.values.length ? b : a));
  const horizon = task.horizon ?? defaultHorizon(longest.frequency, longest.values.length);
  const panel = grids
    .filter((grid) => grid.values.some(Number.isFinite))
    .map(({ values, frequency }) => ({ values, periods: frequency ? seasonalPeriods(frequency) : [] }));
  if (panel.length === 0) throw new JobError('None of the training series has an observed value.');
  const { contextLength, model } = task;
  return { ...tune(model, panel, { horizon, contextLength, onProgress }), horizon };
}

const lastOf = (values: Float64Array, count: number | undefined): Float64Array =>
  count === undefined || count >= values.length ? values : values.slice(values.length - count);

function summarize(result: BacktestResult): BacktestSummary {
  const known = (value: number) => (Number.isFinite(value) ? value : undefined);
  const { origins, horizon, mase, maseSeasonalNaive } = result;
  return {
    origins,
    horizon,
    smape: known(result.smape),
    mase: known(mase),
    mase_seasonal_naive: known(maseSeasonalNaive),
    skill: known(1 - mase / maseSeasonalNaive),
    coverage80: known(result.coverage80),
  };
}

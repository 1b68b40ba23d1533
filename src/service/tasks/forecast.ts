import { defaultHorizon, seasonalPeriods } from '../../calendar/frequency.ts';
import { frequencyCode } from '../../calendar/duration.ts';
import type { BacktestSummary, ForecastDetails, TrainingRecord } from '../../contract/local.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { scoreLevels, scoresOf } from '../../engine/backtest.ts';
import { UnusableDatasetError } from '../../engine/errors.ts';
import { isNeural } from '../../engine/models.ts';
import type { Extremes } from '../../engine/tuning/extremes.ts';
import { defaultEpochs, tuneNeural, type NeuralTuning } from '../../engine/tuning/neural.ts';
import { tune } from '../../engine/tuning/statistical.ts';
import type { TunedParameters } from '../../engine/tuning/tuned.ts';
import type { BacktestResult, EngineInput } from '../../engine/types.ts';
import { JobError } from '../errors.ts';
import { gridOf, prepareSeries, toNumbers } from '../store/points.ts';
import { foldsOf } from './backtest.ts';
import { isNotNegative } from './bounds.ts';
import { summarizeCovariates } from './covariates.ts';
import { made } from './made.ts';
import { readQuestion } from './question.ts';
import type {
  ForecastResult,
  ForecastsTask,
  ForecastTask,
  ReadyForecast,
  TaskProgress,
  TuneResult,
  TuneTask,
} from './tasks.ts';

/**
 * Forecasts one series: puts it on a regular grid, asks the engine, and gives each step its timestamp and quantiles
 * (in `metadata.quantiles`, keyed by level).
 * @throws JobError where the series has no observation
 */
export function runForecast(task: ForecastTask, onProgress: (progress: TaskProgress) => void): ForecastResult {
  const { model, parameters, contextLength, levels, fineTuningEpochs, origins } = task;
  const question = readQuestion(task);
  const { points, numbers, grid, input, known, bounds } = question;
  const { frequency } = grid;
  const tuning =
    fineTuningEpochs && isNeural(model)
      ? tuneOnItself({ ...input, values: grid.values }, contextLength, parameters, fineTuningEpochs, onProgress)
      : undefined;
  const used = tuning?.parameters ?? parameters;
  const covariates = known?.covariatesOn(grid, input.values.length) ?? [];
  const result = made(model, input, covariates, bounds, used);
  // Without the tuning on the series itself, which has seen what is to be forecast here.
  const folds = foldsOf({ model, parameters, origins }, question, scoreLevels);
  const tested = folds && scoresOf(input.values, folds);
  const lastRow = Number(points.at(-1)?.metadata?.row);
  const series = Array.from(result.point, (value, step): SeriesPoint => {
    const quantiles = Object.fromEntries(levels.map((level, index) => [String(level), result.quantiles[index][step]]));
    return {
      timestamp: isoInstant(grid.timeAt(grid.values.length + step)),
      value,
      metadata: {
        ...(levels.length > 0 ? { quantiles } : {}),
        ...(result.demand ? { mean: result.demand.mean } : {}),
        ...(numbers.rows ? { row: lastRow + step + 1 } : {}),
      },
    };
  });
  return {
    series,
    details: {
      frequency: frequency && frequencyCode(frequency),
      seasonal_periods: [...result.periods],
      points: points.length,
      gaps: grid.gaps,
      backtest: tested && summarize(tested, points.length),
      demand: result.demand && {
        mean: result.demand.mean,
        total: {
          mean: result.demand.mean * input.horizon,
          quantiles: Object.fromEntries(levels.map((level, index) => [String(level), result.demand!.total[index]])),
        },
      },
      covariates:
        known && known.names.length > 0 ? summarizeCovariates(known.names, result.covariates, input) : undefined,
      bounds: task.bounds && { ...task.bounds, not_negative: isNotNegative(task.bounds, input.values) },
      fine_tuning: tuning?.scores,
      warnings: tuning?.warnings,
    },
  };
}

/** Forecasts series each by itself, ready to be stored; `undefined` for one that cannot be forecast. */
export function runForecasts({ tasks }: ForecastsTask): (ReadyForecast | undefined)[] {
  return tasks.map((task) => {
    try {
      const { series, details } = runForecast(task, () => undefined);
      return { stored: prepareSeries(series), details: JSON.stringify(details) };
    } catch {
      return undefined; // tried again by itself, it says why
    }
  });
}

/**
 * Tunes a base model on a dataset. The horizon, where none is given, is the default of the longest series.
 * @throws JobError where no series has an observation
 */
export function runTune(task: TuneTask, onProgress: (progress: TaskProgress) => void): TuneResult {
  const all = task.dataset.map((points) => gridOf(toNumbers(JSON.parse(points) as SeriesPoint[])));
  const places = [...all.keys()].filter((place) => all[place].values.some(Number.isFinite));
  const grids = places.map((place) => all[place]);
  if (grids.length === 0) throw new JobError('None of the training series has an observed value.');
  const longest = grids.reduce((a, b) => (b.values.length > a.values.length ? b : a));
  const horizon = task.horizon ?? defaultHorizon(longest.frequency, longest.values.length);
  const dataset = grids.map(({ values, frequency }) => ({
    values,
    periods: frequency ? seasonalPeriods(frequency) : [],
  }));
  const { contextLength, model, maxEpochs, start, stop } = task;
  const flag = stop && new Int32Array(stop);
  if (!isNeural(model)) {
    const statistical = tune(model, dataset, {
      horizon,
      contextLength,
      onProgress: (fraction) => {
        onProgress({ fraction });
      },
    });
    return { ...statistical, ...placed(statistical, places), horizon };
  }
  const tuning = tuneNeural(dataset, {
    horizon,
    contextLength,
    maxEpochs,
    start,
    isStopped: () => flag !== undefined && Atomics.load(flag, 0) === 1,
    onProgress: ({ fraction, record, epoch, epochs }) => {
      onProgress({ fraction, training: { max_epochs: epochs, epoch, record: record.map((entry) => ({ ...entry })) } });
    },
  });
  const { parameters, baseMase, mase, series } = tuning;
  const training = recordOf(tuning, maxEpochs);
  return { parameters, baseMase, mase, series, ...placed(tuning, places), horizon, training };
}

/** @param places where the series of the dataset stand in the task */
function placed({ best, worst }: Extremes, places: readonly number[]): Extremes {
  return best && worst
    ? { best: { ...best, index: places[best.index] }, worst: { ...worst, index: places[worst.index] } }
    : {};
}

function recordOf({ record, epochs, windows }: NeuralTuning, maxEpochs = defaultEpochs): TrainingRecord {
  return {
    max_epochs: maxEpochs,
    epoch: record.at(-1)?.epoch ?? 0,
    chosen_epochs: epochs,
    windows,
    record: record.map((entry) => ({ ...entry })),
  };
}

/** Tunes on the one series that is to be forecast; a series that cannot be tuned on is forecast without, and says so. */
function tuneOnItself(
  { values, periods, horizon }: EngineInput,
  contextLength: number | undefined,
  start: TunedParameters | undefined,
  maxEpochs: number,
  onProgress: (progress: TaskProgress) => void,
): { parameters?: TunedParameters; scores?: ForecastDetails['fine_tuning']; warnings?: string[] } {
  try {
    const { parameters, series, baseMase, mase, epochs } = tuneNeural([{ values, periods }], {
      horizon,
      contextLength,
      maxEpochs,
      start,
      onProgress: ({ fraction }) => {
        onProgress({ fraction });
      },
    });
    return { parameters, scores: { series, base_mase: baseMase, mase, epochs } };
  } catch (error) {
    if (!(error instanceof UnusableDatasetError)) throw error;
    const observed = values.filter(Number.isFinite);
    const state = observed.every((value) => value === observed[0]) ? 'is constant' : 'is too short to be fine-tuned on';
    return { warnings: [`The series ${state}, so the model was used as it is.`] };
  }
}

/** Fewer points, or folds, are too few to claim a per cent from. */
const fewestPoints = 8;
const fewestFolds = 2;

function summarize(result: BacktestResult, points: number): BacktestSummary {
  const { origins, horizon, mase, maseSeasonalNaive } = result;
  const known = (value: number) => (Number.isFinite(value) ? value : undefined);
  const claimed = (value: number) => (points >= fewestPoints && origins >= fewestFolds ? known(value) : undefined);
  return {
    origins,
    horizon,
    smape: known(result.smape),
    mase: known(mase),
    mase_seasonal_naive: known(maseSeasonalNaive),
    skill: claimed(1 - mase / maseSeasonalNaive),
    coverage80: claimed(result.coverage80),
  };
}

import { nextTurn } from '#platform/turn';
import { defaultHorizon, type Frequency, seasonalPeriods } from '../../calendar/frequency.ts';
import { failure } from '../../contract/failures.ts';
import type { TrainingRecord } from '../../contract/resources.ts';
import { isNeural } from '../../engine/models.ts';
import { type Extremes, tune } from '../../engine/tuning/hold-outs.ts';
import { defaultEpochs, tuningEpochs } from '../../engine/tuning/neural.ts';
import type { TunedParameters } from '../../engine/types.ts';
import { JobError } from '../errors.ts';
import { gridOf, toNumbers } from '../store/points.ts';
import { type ForecastOptions, type OnProgress, readPoints } from './series.ts';

interface TuneTask extends Pick<ForecastOptions, 'model' | 'horizon' | 'contextLength'> {
  readonly dataset: readonly string[];
  readonly maxEpochs?: number | undefined;
  readonly start?: TunedParameters | undefined;
}

/** Tunes a base model on a dataset. @param stop ends it after an epoch, with the best so far @throws JobError where nothing was observed */
export async function train(task: TuneTask, onProgress: OnProgress, stop?: AbortSignal) {
  const { contextLength, model, maxEpochs = defaultEpochs, start } = task;
  const all = task.dataset.map((points) => gridOf(toNumbers(readPoints(points))));
  const places = [...all.keys()].filter((place) => all[place].values.some(Number.isFinite));
  const grids = places.map((place) => all[place]);
  if (grids.length === 0) throw new JobError(failure('none_observed'));
  const longest = grids.reduce((a, b) => (b.values.length > a.values.length ? b : a));
  const horizon = task.horizon ?? defaultHorizon(longest.frequency, longest.values.length);
  const periodsOf = (frequency?: Frequency) => (frequency ? seasonalPeriods(frequency) : []);
  const dataset = grids.map(({ values, frequency }) => ({ values, periods: periodsOf(frequency) }));
  const placed = ({ best, worst }: Extremes): Extremes =>
    best && worst
      ? { best: { ...best, index: places[best.index] }, worst: { ...worst, index: places[worst.index] } }
      : {};
  if (!isNeural(model)) {
    const tuned = tune(model, dataset, { horizon, contextLength, onProgress: (fraction) => onProgress({ fraction }) });
    return { ...tuned, ...placed(tuned), horizon, training: undefined };
  }
  const tuning = tuningEpochs(dataset, {
    horizon,
    contextLength,
    maxEpochs: task.maxEpochs,
    start,
    isStopped: () => stop?.aborted ?? false,
    onProgress: ({ fraction, record, epoch, epochs }) =>
      onProgress({ fraction, training: { max_epochs: epochs, epoch, record: record.map((entry) => ({ ...entry })) } }),
  });
  let step = tuning.next();
  while (!step.done) {
    await nextTurn();
    step = tuning.next();
  }
  const { parameters, baseMase, mase, series, record, epochs, windows, ...extremes } = step.value;
  const training: TrainingRecord = {
    max_epochs: maxEpochs,
    epoch: record.at(-1)?.epoch ?? 0,
    chosen_epochs: epochs,
    windows,
    record: record.map((entry) => ({ ...entry })),
  };
  return { parameters, baseMase, mase, series, ...placed(extremes), horizon, training };
}

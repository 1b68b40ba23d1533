import { defaultHorizon, seasonalPeriods } from '../../calendar/frequency.ts';
import { failure } from '../../contract/failures.ts';
import { isNeural } from '../../engine/models.ts';
import type { Extremes } from '../../engine/tuning/extremes.ts';
import { defaultEpochs, tuneNeural } from '../../engine/tuning/neural.ts';
import { tune } from '../../engine/tuning/statistical.ts';
import { JobError } from '../errors.ts';
import { gridOf, toNumbers } from '../store/points.ts';
import { readPoints } from './series.ts';
import type { TaskProgress, TuneResult, TuneTask } from './tasks.ts';

/**
 * Tunes a base model on a dataset. The horizon, where none is given, is the default of the longest series.
 * @throws JobError where no series has an observation
 */
export function train(task: TuneTask, onProgress: (progress: TaskProgress) => void): TuneResult {
  const { contextLength, model, maxEpochs = defaultEpochs, start, stop } = task;
  const all = task.dataset.map((points) => gridOf(toNumbers(readPoints(points))));
  const places = [...all.keys()].filter((place) => all[place].values.some(Number.isFinite));
  const grids = places.map((place) => all[place]);
  if (grids.length === 0) throw new JobError(failure('none_observed'));
  const longest = grids.reduce((a, b) => (b.values.length > a.values.length ? b : a));
  const horizon = task.horizon ?? defaultHorizon(longest.frequency, longest.values.length);
  const dataset = grids.map(({ values, frequency }) => ({
    values,
    periods: frequency ? seasonalPeriods(frequency) : [],
  }));
  /** Series by where they stand in the task. */
  const placed = ({ best, worst }: Extremes): Extremes =>
    best && worst
      ? { best: { ...best, index: places[best.index] }, worst: { ...worst, index: places[worst.index] } }
      : {};
  if (!isNeural(model)) {
    const tuned = tune(model, dataset, {
      horizon,
      contextLength,
      onProgress: (fraction) => {
        onProgress({ fraction });
      },
    });
    return { ...tuned, ...placed(tuned), horizon };
  }
  const flag = stop && new Int32Array(stop);
  const { parameters, baseMase, mase, series, record, epochs, windows, ...extremes } = tuneNeural(dataset, {
    horizon,
    contextLength,
    maxEpochs: task.maxEpochs,
    start,
    isStopped: () => flag !== undefined && Atomics.load(flag, 0) === 1,
    onProgress: ({ fraction, record, epoch, epochs }) => {
      onProgress({ fraction, training: { max_epochs: epochs, epoch, record: record.map((entry) => ({ ...entry })) } });
    },
  });
  const training = {
    max_epochs: maxEpochs,
    epoch: record.at(-1)?.epoch ?? 0,
    chosen_epochs: epochs,
    windows,
    record: record.map((entry) => ({ ...entry })),
  };
  return { parameters, baseMase, mase, series, ...placed(extremes), horizon, training };
}

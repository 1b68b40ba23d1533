import { availableParallelism } from 'node:os';
import type { Threads } from '../tasks/pool.ts';
import type { JobKind } from '../jobs/queue.ts';
import { type OnEnded, watched } from '../jobs/watched.ts';
import { Datasets } from '../store/datasets.ts';
import type { Home } from '../database/home.ts';
import { ModelJobs } from '../resources/model-jobs.ts';
import { Models } from '../resources/models.ts';
import { PredictionJobs } from '../resources/prediction-jobs.ts';
import { PredictionsTogether } from '../resources/predictions-together.ts';
import { Predictions } from '../resources/predictions.ts';
import { SumJobs } from '../resources/sum-jobs.ts';

/** What is stored, and the jobs that bring it to its end. */
export interface Stored {
  readonly datasets: Datasets;
  readonly models: Models;
  readonly predictions: Predictions;
  /** The jobs by the names of their kinds. */
  readonly kinds: Readonly<Record<string, JobKind>>;
}

/** @param threads compute for the jobs @param onEnded is told of their ends */
export function storedIn(home: Home, threads: Threads, onEnded?: OnEnded): Stored {
  const datasets = new Datasets(home);
  const models = new Models(home, datasets);
  const predictions = new Predictions(home, datasets, models);
  const together = new PredictionsTogether(home, models, threads);
  const prediction = new PredictionJobs(datasets, models, predictions, threads, together);
  const tuned_prediction = new PredictionJobs(datasets, models, predictions, threads);
  const fine_tuned_model = new ModelJobs(home, datasets, models, threads);
  const sums = new SumJobs(home, datasets, models, threads);
  const kinds = { prediction, tuned_prediction, fine_tuned_model, sums };
  return {
    datasets,
    models,
    predictions,
    kinds: onEnded ? watched(kinds, onEnded) : kinds,
  };
}

/** Threads that compute at a time on this machine. */
export const threadsHere = (): number => Math.max(1, Math.min(8, availableParallelism()));

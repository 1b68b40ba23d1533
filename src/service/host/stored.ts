import type { Threads } from '../tasks/pool.ts';
import type { Kinds } from '../jobs/queue.ts';
import { Datasets } from '../store/datasets.ts';
import type { Home } from '../database/home.ts';
import { ModelJobs } from '../resources/model-jobs.ts';
import { Models } from '../resources/models.ts';
import { predictionKinds } from '../resources/prediction-jobs.ts';
import { Predictions } from '../resources/predictions.ts';

/** What is stored, and the jobs that bring it to its end. */
export interface Stored {
  readonly datasets: Datasets;
  readonly models: Models;
  readonly predictions: Predictions;
  /** The jobs by the names of their kinds. */
  readonly kinds: Kinds;
}

/** @param threads compute for the jobs */
export function storedIn(home: Home, threads: Threads): Stored {
  const datasets = new Datasets(home);
  const models = new Models(home, datasets);
  const predictions = new Predictions(home, datasets, models);
  const fine_tuned_model = new ModelJobs(home, datasets, models, threads);
  return { datasets, models, predictions, kinds: { ...predictionKinds(home, models, threads), fine_tuned_model } };
}

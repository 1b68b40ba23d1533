import { availableParallelism } from 'node:os';
import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';
import { createApp } from '../http/routes.ts';
import { openDatabase } from '../store/database.ts';
import { Datasets } from '../store/datasets.ts';
import { Keys } from '../store/keys.ts';
import { Models } from '../store/models.ts';
import { Predictions } from '../store/predictions.ts';
import { Queue } from '../jobs/queue.ts';
import { Threads } from '../jobs/pool.ts';

export interface ServiceOptions {
  /** Where the database lives; made where missing. `:memory:` keeps nothing. */
  readonly folder: string;
  /** The token of the program that runs the service; becomes a key at the first start. */
  readonly token: string;
  /** The bundled or source form of `compute.ts`. */
  readonly computeScript: string | URL;
  /** Told of defects, for the log. */
  readonly report: (error: unknown) => void;
}

export interface Service {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Puts unfinished jobs back into the queue and closes the database. */
  close(): Promise<void>;
}

/** Opens the local service: the whole interface as a fetch handler. @throws StoreError */
export async function openService({ folder, token, computeScript, report }: ServiceOptions): Promise<Service> {
  // the mini form of the library brings no sentences of its own for what is at fault in a request
  z.config(english());
  const database = await openDatabase(folder);
  const threads = new Threads(computeScript, Math.max(1, Math.min(8, availableParallelism())));
  const datasets = new Datasets(database);
  const models = new Models(database, datasets, threads);
  const predictions = new Predictions(database, datasets, models, threads);
  const keys = new Keys(database, token);
  const kinds = { prediction: predictions, tuned_prediction: predictions, fine_tuned_model: models };
  const size = { threads: threads.size, long: ['tuned_prediction', 'fine_tuned_model'] };
  const queue = new Queue(database, kinds, size, report);
  return {
    fetch: createApp({ keys, datasets, models, predictions, queue, threads }, report),
    close: async () => {
      await queue.close();
      await threads.dispose();
      database.close();
    },
  };
}

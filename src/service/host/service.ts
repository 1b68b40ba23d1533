import { availableParallelism } from 'node:os';
import { Arrivals } from '../http/arrivals.ts';
import { createApp } from '../http/routes.ts';
import { openDatabase } from '../store/database.ts';
import { Datasets } from '../store/datasets.ts';
import type { Home } from '../store/home.ts';
import { Keys } from '../store/keys.ts';
import { ModelJobs } from '../store/model-jobs.ts';
import { Models } from '../store/models.ts';
import { SumJobs } from '../store/sum-jobs.ts';
import { PredictionJobs } from '../store/prediction-jobs.ts';
import { Predictions } from '../store/predictions.ts';
import { sqliteHome } from '../store/sqlite-home.ts';
import { StoreError, storeTrouble } from '../store/trouble.ts';
import { Upkeep } from '../store/upkeep.ts';
import { EmbeddedQueue } from '../jobs/embedded-queue.ts';
import { Threads } from '../jobs/pool.ts';

export interface ServiceOptions {
  /** Where the database lives; made where missing. `:memory:` keeps nothing. */
  readonly folder: string;
  /** The token of the program that runs the service; becomes a key at the first start. */
  readonly token: string;
  /** The bundled or source form of `compute.ts`. */
  readonly computeScript: string | URL;
  /** Days after which predictions that ended are deleted; absent or 0: never. */
  readonly keepDays?: number | undefined;
  /** Told of defects, for the log. */
  readonly report: (error: unknown) => void;
}

export interface Service {
  readonly fetch: (request: Request) => Promise<Response>;
  /** What is wrong with the database, a sentence, once a request has found it damaged. */
  readonly damage: string | undefined;
  /** Whether the store answers and jobs are taken. */
  look(): Promise<{ store: boolean; queue: boolean }>;
  /** Whether a token is a key that may be used now. */
  isKey(token: string): Promise<boolean>;
  /** Whether its database is still the one of the folder, which another program may have repaired. */
  isInPlace(): boolean;
  /** Days after which predictions that ended are deleted; 0: never. */
  keepFor(days: number): void;
  /** Puts unfinished jobs back into the queue and closes the database. */
  close(): Promise<void>;
}

/** What a thread may take to read the largest body, in MB. */
const READER_MEMORY = 4096;

/** How long requests under way may take once the service closes, in milliseconds. */
const GRACE = 4_000;

/** Opens the local service: the whole interface as a fetch handler. @throws StoreError */
export async function openService(options: ServiceOptions): Promise<Service> {
  const home = sqliteHome(await openDatabase(options.folder));
  try {
    return await serviceOver(home, options);
  } catch (cause) {
    // damage may lie in what only the first statements read
    await home.close();
    const trouble = storeTrouble(cause);
    throw trouble ? new StoreError(trouble.message, { cause, isDamaged: trouble.isDamaged }) : cause;
  }
}

async function serviceOver(home: Home, options: ServiceOptions): Promise<Service> {
  const { token, computeScript, keepDays } = options;
  let damage: string | undefined;
  const report = (error: unknown) => {
    const trouble = storeTrouble(error);
    if (trouble?.isDamaged) damage = trouble.message;
    options.report(error);
  };
  const threads = new Threads(computeScript, Math.max(1, Math.min(8, availableParallelism())));
  const datasets = new Datasets(home);
  const models = new Models(home, datasets);
  const predictions = new Predictions(home, datasets, models);
  const keys = await Keys.open(home, token);
  const forecasts = new PredictionJobs(home, datasets, models, predictions, threads);
  const trainings = new ModelJobs(home, datasets, models, threads);
  const sums = new SumJobs(home, datasets, models, threads);
  const kinds = { prediction: forecasts, tuned_prediction: forecasts, fine_tuned_model: trainings, sums };
  const size = { threads: threads.size, long: ['tuned_prediction', 'fine_tuned_model'] };
  const queue = new EmbeddedQueue(home, kinds, size, report);
  try {
    for (const kind of [sums, forecasts, trainings]) await kind.heal(queue);
  } catch (error) {
    report(error); // the next start tries again
  }
  const upkeep = new Upkeep({ home, predictions, datasets, keepDays, report });
  const readers = new Threads(computeScript, 1, READER_MEMORY);
  queue.wake();
  const app = createApp({ keys, datasets, models, predictions, queue, upkeep, threads }, new Arrivals(readers), report);
  const underWay = new Set<Promise<Response>>();
  let isClosing = false;
  const fetch = async (request: Request): Promise<Response> => {
    if (isClosing) return Response.json({ detail: 'The service ends.' }, { status: 503 });
    const answer = app(request);
    underWay.add(answer);
    return answer.finally(() => underWay.delete(answer));
  };
  return {
    fetch,
    get damage() {
      return damage;
    },
    look: async () => {
      await keys.isActive('');
      return { store: true, queue: !isClosing };
    },
    isKey: (token) => keys.isActive(token),
    isInPlace: () => home.isInPlace(),
    keepFor: (days) => {
      upkeep.keepFor(days);
    },
    close: async () => {
      isClosing = true;
      await upkeep.close();
      await queue.close();
      // those that wait for a prediction are told that it ended; bodies that still arrive are not waited for long
      const told = Promise.allSettled(underWay);
      await Promise.race([told, new Promise((resolve) => setTimeout(resolve, GRACE))]);
      await Promise.all([threads.dispose(), readers.dispose()]);
      await home.close();
    },
  };
}

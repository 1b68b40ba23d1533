import { type Script, threadsHere } from '#platform/threads';
import { createApp, refusal, type Watch } from '../http/routes.ts';
import { failure } from '../../contract/failures.ts';
import { RequestBodies } from '../http/request-bodies.ts';
import { openDatabase, type Repair, repairStore, sqliteStore } from '../database/sqlite.ts';
import type { Store } from '../database/store.ts';
import { Keys } from '../store/keys.ts';
import { StoreError, storeErrorOf } from '../errors.ts';
import { Maintenance } from '../store/maintenance.ts';
import { type JobsOptions, openEmbedded } from '../jobs/embedded.ts';
import { Threads } from '../tasks/pool.ts';
import type { Kinds, Queue } from '../jobs/queue.ts';
import { Datasets } from '../store/datasets.ts';
import { Models, trainingJobs } from '../resources/models.ts';
import { predictionKinds, Predictions } from '../resources/predictions.ts';

export interface ServiceOptions {
  /** Where the database lives; made where missing. `:memory:` keeps nothing. */
  readonly folder: string;
  /** The token of the program that runs the service; becomes a key at the first start. */
  readonly token: string;
  readonly computeScript: Script;
  readonly keepDays?: number | undefined;
  readonly report: (error: unknown) => void;
  readonly watch?: Watch;
}

export interface Readiness {
  readonly store: boolean;
  readonly queue: boolean;
  /** Whether the database itself keeps tenants apart, where it can; nothing stands against serving without. */
  readonly row_security?: boolean | undefined;
}

export type Service = Awaited<ReturnType<typeof serviceOver>>;

const GRACE = 4_000;

/** Opens the local service: the whole interface as a fetch handler. @throws StoreError */
export async function openService(options: ServiceOptions): Promise<Service> {
  const store = sqliteStore(await openDatabase(options.folder));
  try {
    return await serviceOver(store, ({ db }, kinds, more) => openEmbedded(db, kinds, more), options);
  } catch (cause) {
    // damage may lie in what only the first statements read
    await store.close();
    throw storeErrorOf(cause);
  }
}

export function repositoriesOf(store: Store, threads: Threads) {
  const datasets = new Datasets(store);
  const models = new Models(store);
  const predictions = new Predictions(store);
  const kinds: Kinds = { ...predictionKinds(store, models, threads), fine_tuned_model: trainingJobs(models, threads) };
  return { datasets, models, predictions, kinds };
}

export async function serviceOver(
  store: Store,
  queueOf: (store: Store, kinds: Kinds, options: JobsOptions) => Promise<Queue>,
  options: Omit<ServiceOptions, 'folder'>,
) {
  const { token, computeScript, keepDays } = options;
  let damage: StoreError | undefined;
  const report = (error: unknown) => {
    const found = storeErrorOf(error);
    if (found instanceof StoreError && found.isDamaged) damage = found;
    options.report(error);
  };
  const threads = new Threads(computeScript, threadsHere());
  const keys = await Keys.open(store, token);
  const { datasets, models, predictions, kinds } = repositoriesOf(store, threads);
  const queue = await queueOf(store, kinds, { threads: threads.size, report, watch: options.watch });
  const maintenance = new Maintenance({ store, keepDays, report });
  const readers = new Threads(computeScript, 1);
  const closing = new AbortController();
  const app = createApp(
    { keys, datasets, models, predictions, queue, maintenance, threads, closing: closing.signal },
    new RequestBodies(readers, threads),
    report,
    options.watch,
  );
  const { fetch, settled } = openUntil(closing.signal, app);
  return {
    fetch,
    get damage() {
      return damage;
    },
    look: async (): Promise<Readiness> => {
      await keys.caller('');
      return {
        store: true,
        queue: !closing.signal.aborted && (await queue.answers()),
        row_security: store.hasRowSecurity,
      };
    },
    caller: (token: string) => keys.caller(token),
    waiting: () => queue.engine.waiting(),
    isInPlace: () => store.isInPlace(),
    keepFor: (days: number) => maintenance.keepFor(days),
    close: () => {
      closing.abort();
      return eachInTurn([
        () => maintenance.close(),
        () => queue.close(),
        settled,
        () => threads.dispose(),
        () => readers.dispose(),
        () => store.close(),
      ]);
    },
  };
}

function openUntil(closing: AbortSignal, app: (request: Request) => Promise<Response>) {
  const underWay = new Set<Promise<Response>>();
  return {
    fetch: async (request: Request): Promise<Response> => {
      if (closing.aborted) return refusal(503, failure('service_ends'));
      const answer = app(request);
      underWay.add(answer);
      return answer.finally(() => underWay.delete(answer));
    },
    /** Those that wait for a prediction hear that it ended; bodies that still arrive are not waited for long. */
    settled: () => Promise.race([Promise.allSettled(underWay), new Promise((resolve) => setTimeout(resolve, GRACE))]),
  };
}

/** Does all of these, one after the other, also where some fail. @throws the first error, when all are done */
export async function eachInTurn(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

export class KeptService {
  #options: ServiceOptions;
  #service: Service | undefined;
  #opening: Promise<Service> | undefined;
  #turns: Promise<unknown> = Promise.resolve();

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  open(): Promise<Service> {
    this.#opening ??= this.#inTurn(async () => {
      // another program has repaired the database or taken it away: what is written into the old one would be lost
      if (this.#service?.isInPlace() === false) await this.#end();
      return (this.#service ??= await openService(this.#options));
    }).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  keepFor(days: number): Promise<void> {
    this.#options = { ...this.#options, keepDays: days };
    return this.#inTurn(() => this.#service?.keepFor(days));
  }

  /** Sets the database aside and saves what can be read of it; requests wait meanwhile. @throws StoreError */
  repair(): Promise<Repair> {
    return this.#inTurn(async () => {
      await this.#end();
      return repairStore(this.#options.folder);
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#end());
  }

  async #end(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.close();
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    this.#opening = undefined; // what is asked for from now on is opened after this
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => undefined);
    return done;
  }
}

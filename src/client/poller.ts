import * as l10n from '@vscode/l10n';
import type { LocalFineTunedModel, LocalPrediction } from '../contract/local.ts';
import { isPending } from '../contract/operation.ts';
import type { ServiceClient } from './client.ts';
import { isGone, isPassing, ServiceError } from './errors.ts';
import type { ListQuery } from './page.ts';
import { pause } from './pause.ts';

interface Job {
  readonly id: string;
  readonly status: string;
}

/** Those of the wanted jobs that were found. */
export interface FoundJobs<T> {
  readonly jobs: readonly T[];
  /** Whether a job that is not among them is not at the service; else it was not looked for to the end. */
  readonly isAll: boolean;
}

/** Reads the wanted jobs. */
export type ReadJobs<T> = (ids: ReadonlySet<string>, signal: AbortSignal) => Promise<FoundJobs<T>>;

export interface JobWatcher<T> {
  /** Called at each reading in which something of the job changed; the last time when it has ended. */
  readonly onChange: (job: T) => void;
  /** The service does not have the job any more, or cannot be asked; the latter goes on by itself. */
  readonly onProblem?: (problem: ServiceError) => void;
}

const FIRST_WAIT = 150;
const SLOWER = 1.6;
/** A list may lag behind what was created: only a job that is missing so often in a row is gone. */
const MISSES = 3;

interface Watched<T> {
  readonly watchers: Set<JobWatcher<T>>;
  last?: string;
  misses: number;
}

/**
 * Follows jobs that are QUEUED or IN_PROGRESS until they have ended: one loop for all that anybody watches, which asks
 * less and less often, begins anew with a new watcher and ends with the last.
 */
export class Poller<T extends Job> {
  readonly #read: ReadJobs<T>;
  readonly #longestWait: () => number;
  readonly #report: (error: unknown) => void;
  readonly #watched = new Map<string, Watched<T>>();
  #abort: AbortController | undefined;
  #wait = FIRST_WAIT;
  #wake: () => void = () => undefined;

  /**
   * @param longestWait milliseconds between two readings at most, asked for anew each time
   * @param report is told of the failure of a watcher, which is a defect of it and stops nobody else's
   */
  constructor(
    read: ReadJobs<T>,
    longestWait: () => number = () => 15_000,
    report: (error: unknown) => void = thrownByItself,
  ) {
    this.#read = read;
    this.#longestWait = longestWait;
    this.#report = report;
  }

  /** @returns ends the watching; it ends by itself with the job */
  watch(id: string, watcher: JobWatcher<T>): () => void {
    const entry = this.#watched.get(id) ?? { watchers: new Set(), misses: 0 };
    entry.watchers.add(watcher);
    // a job that is followed already may have changed for the last time: what is known of it is told anew
    entry.last = undefined;
    this.#watched.set(id, entry);
    this.#start();
    return () => {
      entry.watchers.delete(watcher);
      if (entry.watchers.size === 0 && this.#watched.get(id) === entry) this.#watched.delete(id);
      if (this.#watched.size === 0) this.stop();
    };
  }

  stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.#watched.clear();
  }

  /** Whether a loop runs is known at once, not after its promise: a watch that comes in between must not be lost. */
  #start(): void {
    this.#wait = FIRST_WAIT;
    this.#wake();
    if (this.#abort) return;
    this.#abort = new AbortController();
    this.#loop(this.#abort).catch(this.#report);
  }

  async #loop(abort: AbortController): Promise<void> {
    const { signal } = abort;
    while (this.#watched.size > 0 && !signal.aborted) {
      const nap = new AbortController();
      if (this.#wait > FIRST_WAIT) {
        this.#wake = () => {
          nap.abort();
        };
      }
      await pause(this.#wait, AbortSignal.any([signal, nap.signal]));
      if (signal.aborted) return;
      this.#wait = Math.min(this.#longestWait(), this.#wait * SLOWER);
      try {
        const ids = new Set(this.#watched.keys());
        if (ids.size > 0) this.#take(ids, await this.#read(ids, signal));
      } catch (error) {
        if (signal.aborted) return;
        const problem =
          error instanceof ServiceError
            ? error
            : new ServiceError('failed', l10n.t('The jobs could not be followed: {0}', String(error)), {
                cause: error,
              });
        this.#tell([...this.#watched.keys()], problem);
      }
    }
    if (this.#abort === abort) this.#abort = undefined;
  }

  #take(ids: ReadonlySet<string>, { jobs, isAll }: FoundJobs<T>): void {
    const found = new Map(jobs.map((job) => [job.id, job]));
    for (const id of ids) {
      const entry = this.#watched.get(id);
      const job = found.get(id);
      if (!entry) continue;
      if (!job) {
        if (!isAll || ++entry.misses < MISSES) continue;
        this.#tell([id], new ServiceError('not-found', l10n.t('The service does not list this any more.')));
        this.#watched.delete(id);
        continue;
      }
      entry.misses = 0;
      if (!isPending(job.status)) this.#watched.delete(id);
      const now = JSON.stringify(job);
      if (now === entry.last) continue;
      entry.last = now;
      this.#each(entry.watchers, ({ onChange }) => {
        onChange(job);
      });
    }
  }

  #tell(ids: readonly string[], problem: ServiceError): void {
    for (const id of ids) {
      this.#each(this.#watched.get(id)?.watchers ?? [], ({ onProblem }) => onProblem?.(problem));
    }
  }

  #each(watchers: Iterable<JobWatcher<T>>, tell: (watcher: JobWatcher<T>) => void): void {
    for (const watcher of watchers) {
      try {
        tell(watcher);
      } catch (error) {
        this.#report(error);
      }
    }
  }
}

/** Whoever runs this program sees it. */
function thrownByItself(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Waits until a job has ended. @throws ServiceError where the service cannot be asked; the signal's reason */
export async function ended<T extends Job>(poller: Poller<T>, job: T, signal?: AbortSignal): Promise<T> {
  if (!isPending(job.status)) return job;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = poller.watch(job.id, {
    onChange: (now) => {
      if (!isPending(now.status)) resolve(now);
    },
    onProblem: (problem) => {
      if (isPassing(problem)) return;
      stop();
      reject(problem);
    },
  });
  const onAbort = () => {
    stop();
    reject(signal?.reason as Error);
  };
  signal?.addEventListener('abort', onAbort);
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

const MOST_PAGES = 50;
/** What a look at the first page asks for at most; it mostly finds all, as jobs that have not ended are new. */
const FIRST_LOOK = 20;
const WHOLE_PAGE = 100;

/**
 * Reads predictions from the list, which is all that the interface has, or one by one where the service offers that. Where
 * it can leave the series out, only those that have ended are read with them. Only those that have ended carry their series
 * for certain.
 */
export async function readPredictions(
  client: ServiceClient,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<FoundJobs<LocalPrediction>> {
  const offers = await client.capabilities();
  if (!offers.has('getPrediction')) return readFromList(ids, (query) => client.listPredictions({ ...query, signal }));
  const read = (wanted: Iterable<string>) => readEach(wanted, (id) => client.getPrediction(id, signal));
  if (!offers.asks('listPredictions', 'include_series')) return read(ids);
  const { items } = await client.listPredictions({ size: Math.min(FIRST_LOOK, ids.size), signal }, false);
  const pending = items.filter(({ id, status }) => ids.has(id) && isPending(status));
  const others = [...ids].filter((id) => !pending.some((one) => one.id === id));
  return { jobs: [...pending, ...(await read(others)).jobs], isAll: true };
}

/**
 * Reads fine-tuned models where the service offers that, from its list first: to the interface alone a model is gone once it
 * is made.
 */
export async function readFineTunedModels(
  client: ServiceClient,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<FoundJobs<LocalFineTunedModel>> {
  const offers = await client.capabilities();
  if (offers.has('listFineTunedModels'))
    return readFromList(ids, (query) => client.listFineTunedModels({ ...query, signal }));
  if (!offers.has('getFineTunedModel')) return { jobs: [], isAll: true };
  return readEach(ids, (id) => client.getFineTunedModel(id, signal));
}

async function readEach<T>(ids: Iterable<string>, read: (id: string) => Promise<T>): Promise<FoundJobs<T>> {
  const jobs: T[] = [];
  for (const id of ids) {
    try {
      jobs.push(await read(id));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return { jobs, isAll: true };
}

async function readFromList<T extends Job>(
  ids: ReadonlySet<string>,
  list: (query: ListQuery) => Promise<{ items: readonly T[]; next: string | undefined }>,
): Promise<FoundJobs<T>> {
  const found = new Map<string, T>();
  const take = (items: readonly T[]) => {
    for (const item of items) if (ids.has(item.id)) found.set(item.id, item);
  };
  const look = await list({ size: Math.min(FIRST_LOOK, ids.size) });
  take(look.items);
  let isAll = look.next === undefined;
  // from the start again: to some services a cursor of small pages says nothing in large ones
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES && found.size < ids.size && !isAll; pages++) {
    const page = await list({ cursor, size: WHOLE_PAGE });
    take(page.items);
    isAll = page.next === undefined || page.next === cursor;
    cursor = page.next;
  }
  return { jobs: [...found.values()], isAll };
}

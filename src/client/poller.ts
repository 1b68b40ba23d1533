import type { LocalFineTunedModel, LocalPrediction } from '../contract/local.ts';
import type { ServiceClient } from './client.ts';
import { ServiceError } from './errors.ts';

/** Whether the interface promises that this status will change. */
export const isPending = (status: string): boolean => status === 'QUEUED' || status === 'IN_PROGRESS';

interface Job {
  readonly id: string;
  readonly status: string;
}

/** Reads those of the wanted jobs that the service still has. */
export type ReadJobs<T> = (ids: ReadonlySet<string>, signal: AbortSignal) => Promise<readonly T[]>;

export interface JobWatcher<T> {
  /** Called at each reading in which something of the job changed; the last time when it has ended. */
  readonly onChange: (job: T) => void;
  /** The service does not have the job any more, or cannot be asked; the latter goes on by itself. */
  readonly onProblem?: (problem: ServiceError) => void;
}

const FIRST_WAIT = 150;
const SLOWER = 1.6;

/**
 * Follows jobs that are QUEUED or IN_PROGRESS until they have ended: one loop for all that anybody watches, which asks
 * less and less often, begins anew with a new watcher and ends with the last.
 */
export class Poller<T extends Job> {
  readonly #read: ReadJobs<T>;
  readonly #longestWait: () => number;
  readonly #watched = new Map<string, { watchers: Set<JobWatcher<T>>; last?: string }>();
  #abort: AbortController | undefined;
  #wait = FIRST_WAIT;

  /** @param longestWait milliseconds between two readings at most, asked for anew each time */
  constructor(read: ReadJobs<T>, longestWait: () => number = () => 15_000) {
    this.#read = read;
    this.#longestWait = longestWait;
  }

  /** @returns ends the watching; it ends by itself with the job */
  watch(id: string, watcher: JobWatcher<T>): () => void {
    const entry = this.#watched.get(id) ?? { watchers: new Set() };
    entry.watchers.add(watcher);
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

  #start(): void {
    this.#wait = FIRST_WAIT;
    if (this.#abort) return;
    const abort = (this.#abort = new AbortController());
    void this.#loop(abort.signal).finally(() => {
      if (this.#abort === abort) this.#abort = undefined;
    });
  }

  async #loop(signal: AbortSignal): Promise<void> {
    while (this.#watched.size > 0 && !signal.aborted) {
      await pause(this.#wait, signal);
      this.#wait = Math.min(this.#longestWait(), this.#wait * SLOWER);
      if (signal.aborted) return;
      try {
        const ids = new Set(this.#watched.keys());
        this.#take(ids, await this.#read(ids, signal));
      } catch (error) {
        if (signal.aborted) continue;
        const problem =
          error instanceof ServiceError
            ? error
            : new ServiceError('failed', `The jobs could not be followed: ${String(error)}`, { cause: error });
        this.#tell([...this.#watched.keys()], problem);
      }
    }
  }

  #take(ids: ReadonlySet<string>, jobs: readonly T[]): void {
    const found = new Map(jobs.map((job) => [job.id, job]));
    for (const id of ids) {
      const entry = this.#watched.get(id);
      const job = found.get(id);
      if (!entry) continue;
      if (!job) {
        this.#tell([id], new ServiceError('not-found', 'The service does not list this any more.'));
        this.#watched.delete(id);
        continue;
      }
      if (!isPending(job.status)) this.#watched.delete(id);
      const now = JSON.stringify(job);
      if (now === entry.last) continue;
      entry.last = now;
      for (const watcher of entry.watchers) watcher.onChange(job);
    }
  }

  #tell(ids: readonly string[], problem: ServiceError): void {
    for (const id of ids) {
      for (const watcher of this.#watched.get(id)?.watchers ?? []) watcher.onProblem?.(problem);
    }
  }
}

const MOST_PAGES = 50;

/**
 * Reads predictions: one by one where the service offers that, else from the list, which is all that the interface has,
 * down to the page where the last of them stands. Only those that have ended carry their series for certain.
 */
export async function readPredictions(
  client: ServiceClient,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<LocalPrediction[]> {
  const offers = await client.capabilities();
  if (offers.has('getPrediction')) return readEach(ids, (id) => client.getPrediction(id, signal));
  return readFromList(ids, (cursor) => client.listPredictions({ cursor, signal }));
}

/** Reads fine-tuned models where the service offers that; to the interface alone a model is gone once it is made. */
export async function readFineTunedModels(
  client: ServiceClient,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<LocalFineTunedModel[]> {
  const offers = await client.capabilities();
  if (offers.has('getFineTunedModel')) return readEach(ids, (id) => client.getFineTunedModel(id, signal));
  if (!offers.has('listFineTunedModels')) return [];
  return readFromList(ids, (cursor) => client.listFineTunedModels({ cursor, signal }));
}

async function readEach<T>(ids: ReadonlySet<string>, read: (id: string) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (const id of ids) {
    try {
      found.push(await read(id));
    } catch (error) {
      if (!(error instanceof ServiceError && error.kind === 'not-found')) throw error;
    }
  }
  return found;
}

async function readFromList<T extends Job>(
  ids: ReadonlySet<string>,
  list: (cursor: string | undefined) => Promise<{ items: readonly T[]; next: string | undefined }>,
): Promise<T[]> {
  const found = new Map<string, T>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES && found.size < ids.size; pages++) {
    const page = await list(cursor);
    for (const item of page.items) if (ids.has(item.id)) found.set(item.id, item);
    if (page.next === undefined || page.next === cursor) break;
    cursor = page.next;
  }
  return [...found.values()];
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

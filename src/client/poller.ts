import * as l10n from '@vscode/l10n';
import { isOngoing, type LocalPrediction } from '../contract/resources.ts';
import { orAborted, pause } from '../platform/pause.ts';
import { isPassing, ServiceError } from './errors.ts';
import type { Found } from './lists.ts';

type Job = Pick<LocalPrediction, 'id' | 'status'>;

export interface JobWatcher<T> {
  readonly onChange: (job: T) => void;
  /** The service does not have the job any more, or cannot be asked; then it is asked again. */
  readonly onProblem?: (problem: ServiceError) => void;
}

type Watch<T> = JobWatcher<T> & { readonly id: string; last?: string; misses: number };

const FIRST_WAIT = 150;
const A_DAY = 86_400_000;
const SLOWER = 1.6;
const MISSES = 3; // a list may lag behind: only a job that is missing so often in a row is gone

/** Follows jobs until they have ended, with one loop for all. It polls less and less often until there is a new watcher. */
export class Poller<T extends Job> {
  readonly #read: (ids: ReadonlySet<string>, signal: AbortSignal) => Promise<Found<T>>;
  readonly #longestWait: number;
  readonly #report: (error: unknown) => void;
  readonly #watches = new Set<Watch<T>>();
  #loop: AbortController | undefined;
  #nap = new AbortController();
  #wait = FIRST_WAIT;

  constructor(
    read: (ids: ReadonlySet<string>, signal: AbortSignal) => Promise<Found<T>>,
    longestWait = 15_000,
    report: (error: unknown) => void = Promise.reject.bind(Promise),
  ) {
    this.#read = read;
    this.#longestWait = longestWait;
    this.#report = report;
  }

  watch(id: string, watcher: JobWatcher<T>): () => void {
    const watch = { ...watcher, id, misses: 0 };
    this.#watches.add(watch);
    if (this.#wait !== A_DAY) this.resume();
    // set at once, not after its promise, so that no watch in between is lost
    if (!this.#loop) {
      this.#loop = new AbortController();
      this.#follow(this.#loop).catch(this.#report);
    }
    return () => {
      this.#watches.delete(watch);
      if (this.#watches.size === 0) this.stop();
    };
  }

  resume(): void {
    if (this.#wait > FIRST_WAIT) this.#nap.abort();
    this.#wait = FIRST_WAIT;
  }

  stop(): void {
    this.#loop?.abort();
    this.#loop = undefined;
    this.#watches.clear();
  }

  async #follow(loop: AbortController): Promise<void> {
    const { signal } = loop;
    while (this.#watches.size > 0) {
      this.#nap = new AbortController();
      await pause(this.#wait, AbortSignal.any([signal, this.#nap.signal]));
      if (signal.aborted) return;
      this.#wait = Math.min(this.#longestWait, this.#wait * SLOWER);
      const asked = [...this.#watches];
      try {
        const found = await this.#read(new Set(asked.map(({ id }) => id)), signal);
        this.#wait = Math.min(this.#longestWait, Math.max(this.#wait, (found.bytes ?? 0) / 2_000)); // a second for 2 MB
        for (const watch of asked) this.#update(watch, found);
      } catch (error) {
        if (signal.aborted) return;
        const sentence = l10n.t('Could not get the status of the jobs: {0}', String(error));
        const problem = error instanceof ServiceError ? error : new ServiceError('failed', sentence, { cause: error });
        if (problem.kind === 'unauthorized') this.#wait = A_DAY;
        for (const watch of [...this.#watches])
          if (this.#watches.has(watch)) this.#notify(() => watch.onProblem?.(problem));
      }
    }
    if (this.#loop === loop) this.#loop = undefined;
  }

  #update(watch: Watch<T>, { jobs, isAll }: Found<T>): void {
    const job = jobs.find(({ id }) => id === watch.id);
    if (!this.#watches.has(watch) || (!job && !isAll)) return;
    watch.misses = job ? 0 : watch.misses + 1;
    const isGone = watch.misses === MISSES;
    if (isGone || (job && !isOngoing(job))) this.#watches.delete(watch);
    const gone = () => new ServiceError('not-found', l10n.t('The service no longer lists this item.'));
    if (isGone) this.#notify(() => watch.onProblem?.(gone()));
    const now = JSON.stringify(job);
    if (!job || now === watch.last) return;
    watch.last = now;
    this.#notify(() => watch.onChange(job));
  }

  #notify(notify: () => void): void {
    try {
      notify();
    } catch (error) {
      this.#report(error);
    }
  }
}

export async function ended<T extends Job>(
  poller: Poller<T>,
  job: T,
  signal?: AbortSignal,
  onChange?: (job: T) => void,
): Promise<T> {
  if (!isOngoing(job)) return job;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = poller.watch(job.id, {
    onChange: (now) => (isOngoing(now) ? onChange?.(now) : resolve(now)),
    onProblem: (problem) => isPassing(problem) || reject(problem),
  });
  return orAborted(promise, signal).finally(stop);
}

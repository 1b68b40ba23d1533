import * as l10n from '@vscode/l10n';
import { isOngoing } from '../contract/resources.ts';
import { isPassing, ServiceError } from './errors.ts';
import type { Found } from './lists.ts';
import { orAborted, pause } from '../platform/pause.ts';

interface Job {
  readonly id: string;
  readonly status: string;
}

export interface JobWatcher<T> {
  /** Called when the job has changed; the last time when it has ended. */
  readonly onChange: (job: T) => void;
  /** The service does not have the job any more, or cannot be asked; then it is asked again. */
  readonly onProblem?: (problem: ServiceError) => void;
}

const FIRST_WAIT = 150;
const LONGEST_WAIT = 15_000;
const A_DAY = 86_400_000;
const SLOWER = 1.6;
/** A list may lag behind: only a job that is missing so often in a row is gone. */
const MISSES = 3;

/** Follows jobs until they have ended, with one loop for all. It polls less and less often until there is a new watcher. */
export class Poller<T extends Job> {
  readonly #read: (ids: ReadonlySet<string>, signal: AbortSignal) => Promise<Found<T>>;
  readonly #longestWait: number;
  readonly #report: (error: unknown) => void;
  readonly #watched = new Map<string, { watchers: Set<JobWatcher<T>>; last?: string; misses: number }>();
  #loop: AbortController | undefined;
  #nap = new AbortController();
  /** {@link A_DAY} where the token was refused: the service is not asked again before another is set. */
  #wait = FIRST_WAIT;

  /** @param report is called with the defect of a watcher, which stops no other */
  constructor(
    read: (ids: ReadonlySet<string>, signal: AbortSignal) => Promise<Found<T>>,
    longestWait = LONGEST_WAIT,
    report: (error: unknown) => void = Promise.reject.bind(Promise),
  ) {
    this.#read = read;
    this.#longestWait = longestWait;
    this.#report = report;
  }

  watch(id: string, watcher: JobWatcher<T>): () => void {
    const entry = this.#watched.get(id) ?? { watchers: new Set(), misses: 0 };
    entry.watchers.add(watcher);
    // a job that is followed already may not change again
    entry.last = undefined;
    this.#watched.set(id, entry);
    if (this.#wait !== A_DAY) this.resume();
    // set at once, not after its promise, so that no watch in between is lost
    if (!this.#loop) {
      this.#loop = new AbortController();
      this.#follow(this.#loop).catch(this.#report);
    }
    return () => {
      entry.watchers.delete(watcher);
      if (entry.watchers.size === 0 && this.#watched.get(id) === entry) this.#watched.delete(id);
      if (this.#watched.size === 0) this.stop();
    };
  }

  /** Call it if another token is set, or to try again. */
  resume(): void {
    // else the first poll is near
    if (this.#wait > FIRST_WAIT) this.#nap.abort();
    this.#wait = FIRST_WAIT;
  }

  stop(): void {
    this.#loop?.abort();
    this.#loop = undefined;
    this.#watched.clear();
  }

  async #follow(loop: AbortController): Promise<void> {
    const { signal } = loop;
    while (this.#watched.size > 0) {
      this.#nap = new AbortController();
      await pause(this.#wait, AbortSignal.any([signal, this.#nap.signal]));
      if (signal.aborted) return;
      this.#wait = Math.min(this.#longestWait, this.#wait * SLOWER);
      try {
        const ids = new Set(this.#watched.keys());
        const found = await this.#read(ids, signal);
        // a second for each two megabytes of a look
        this.#wait = Math.min(this.#longestWait, Math.max(this.#wait, (found.bytes ?? 0) / 2_000));
        for (const id of ids) this.#update(id, found);
      } catch (error) {
        if (signal.aborted) return;
        const sentence = l10n.t('Could not get the status of the jobs: {0}', String(error));
        const problem = error instanceof ServiceError ? error : new ServiceError('failed', sentence, { cause: error });
        if (problem.kind === 'unauthorized') this.#wait = A_DAY;
        for (const { watchers } of [...this.#watched.values()])
          this.#notify(watchers, (one) => one.onProblem?.(problem));
      }
    }
    if (this.#loop === loop) this.#loop = undefined;
  }

  #update(id: string, { jobs, isAll }: Found<T>): void {
    const entry = this.#watched.get(id);
    const job = jobs.find((one) => one.id === id);
    if (!entry || (!job && !isAll)) return;
    entry.misses = job ? 0 : entry.misses + 1;
    const isGone = entry.misses === MISSES;
    if (isGone || (job && !isOngoing(job))) this.#watched.delete(id);
    const gone = () => new ServiceError('not-found', l10n.t('The service no longer lists this item.'));
    if (isGone) this.#notify(entry.watchers, (one) => one.onProblem?.(gone()));
    const now = JSON.stringify(job);
    if (!job || now === entry.last) return;
    entry.last = now;
    this.#notify(entry.watchers, (one) => one.onChange(job));
  }

  #notify(watchers: Iterable<JobWatcher<T>>, notify: (watcher: JobWatcher<T>) => void): void {
    for (const watcher of watchers) {
      try {
        notify(watcher);
      } catch (error) {
        this.#report(error);
      }
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
    onChange: (now) => {
      if (isOngoing(now)) onChange?.(now);
      else resolve(now);
    },
    onProblem: (problem) => {
      if (!isPassing(problem)) reject(problem);
    },
  });
  return orAborted(promise, signal).finally(stop);
}

/** Does the jobs that an engine gives to this program: run, progress, retry, fail, the same on every database. */
import { failure, type Failure } from '../../contract/failures.ts';
import type { Db } from '../database/store.ts';
import { mayPass } from '../database/trouble.ts';
import { expectedOf, JobError } from '../errors.ts';
import type { TaskProgress } from '../tasks/series.ts';
import type { Bulk, Capacity, ClaimedJob, Engine, JobKind, Kinds, Lane, Queue } from './queue.ts';
import {
  change,
  CLOSING,
  type Ended,
  failed,
  isPending,
  pendingOfAll,
  progressed,
  Retry,
  written,
  writtenOf,
} from './writes.ts';

/** How often is looked whether the target of a job is still pending, in milliseconds. */
const CHECK = 2_000;
/** A job that takes less is never shown as IN_PROGRESS, in milliseconds. */
const BRIEF = 200;
/** Jobs of one tenant that are claimed for each thread: the next one is ready when a thread is. Twice as many of all tenants. */
const JOBS_PER_THREAD = 2;
/** So many programs may die over a job before it is given up. */
export const MAX_DEATHS = 3;

const HOUR = 3_600;
export const MAX_SECONDS: Readonly<Record<Lane, number>> = { forecast: HOUR, training: 23 * HOUR, dataset: HOUR };
/** So much of that in milliseconds of each second: what takes longer is ended before it is given to another program. */
const IN_TIME = 950;

/** Which programs died over a job: those that began with it, and are seen to be gone. */
export interface Deaths {
  of(target: string): Promise<number>;
  begin(target: string): Promise<void>;
  /** Takes it back: this program lives. */
  end(target: string): Promise<void>;
}

/** What a program wants to know of its jobs. */
export interface JobWatch {
  /** Each end of a job, once it is written, with the seconds since it began; its share where it was one of many. */
  readonly ended?: ((kind: string, outcome: 'completed' | 'failed', seconds: number) => void) | undefined;
  /** Jobs that are done again, by the names of their kinds: the program that had them does not renew them. */
  readonly lost?: ((kind: string) => void) | undefined;
}

export interface RunnerOptions {
  readonly engine: Engine;
  readonly db: Db;
  readonly kinds: Kinds;
  readonly deaths: Deaths;
  readonly threads: number;
  readonly report: (error: unknown) => void;
  readonly watch?: JobWatch | undefined;
  /** Is notified of ends where somebody here may wait for them. */
  readonly queue?: Queue | undefined;
}

interface Target extends Pick<ClaimedJob, 'lane' | 'tenant'> {
  readonly kind: string;
  readonly target: string;
  /** Whether a program lost it before, which may have died over it. */
  readonly isSuspect: boolean;
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #closing = new AbortController();
  readonly #retry: Retry;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#retry = new Retry(this.#closing.signal, options.report);
  }

  start(): Promise<void> {
    const { engine, threads } = this.#options;
    const all = 2 * JOBS_PER_THREAD * threads;
    const training = Math.max(1, threads - 1);
    const capacities: Readonly<Record<Lane, Capacity>> = {
      // of one tenant half; the others wait for none of it
      forecast: { most: all, ofOne: all / 2 },
      training: { most: training, ofOne: training },
      // a single forecast goes before the series of a dataset that have no thread yet, and those have one for moments each
      dataset: { most: 1, ofOne: 1 },
    };
    return engine.start(capacities, (claimed) => this.#do(claimed));
  }

  /** What is under way ends within moments, and goes back into the queue as far as it is not done. */
  close(): void {
    this.#closing.abort(CLOSING);
  }

  async #do({ job, lane, tenant, isLost, signal }: ClaimedJob): Promise<readonly string[]> {
    const { engine, db, kinds, threads, watch } = this.#options;
    const { kind, targets } = job;
    if (isLost) watch?.lost?.(kind);
    if (isLost && targets.length > 1) {
      // whether one of them ends programs is found by doing each by itself
      const alone = [...(await pendingOfAll(db, targets))].map((target) => ({
        kind,
        targets: [target],
        isSuspect: true,
      }));
      if (alone.length > 0) await engine.add(db, { lane, tenant }, alone, Number.MAX_SAFE_INTEGER);
      return [];
    }
    const left = new Set(targets);
    const isSuspect = isLost || job.isSuspect === true;
    const { bulk } = kinds[kind];
    try {
      if (targets.length > 1 && bulk && !isSuspect) await this.#inBulk(kind, bulk, left, signal);
      // what takes long leaves a thread to the others
      await eachOf(left.values(), lane === 'dataset' ? Math.max(1, threads - 1) : 1, async (target) => {
        await this.#one({ kind, target, lane, tenant, isSuspect }, signal);
        left.delete(target);
      });
    } catch (error) {
      if (error !== CLOSING) throw error;
    }
    return [...left];
  }

  /** Does those that can be done in bulk. @param left loses those that are done, or not pending any more */
  async #inBulk(kind: string, bulk: Bulk, left: Set<string>, claim: AbortSignal): Promise<void> {
    const { db, threads, report } = this.#options;
    const pending = await pendingOfAll(db, [...left]);
    for (const target of left) if (!pending.has(target)) left.delete(target);
    // one is read and written while the others are computed
    await eachOf((await bulk.slices([...pending])).values(), threads + 1, async (slice) => {
      const began = performance.now();
      const isAnyPending = async () => (await pendingOfAll(db, slice)).size > 0;
      const done = await this.#attempt(isAnyPending, claim, Infinity, async (signal) => {
        const { ids, write } = await bulk.run(slice, signal);
        return this.#retry.write(() => writtenOf(db, ids, write), { signal });
      }).catch((error: unknown) => {
        if (claim.aborted || this.#closing.signal.aborted) throw error;
        // whose fault it is comes out when each is done by itself
        if (!expectedOf(error)) report(error);
        return undefined;
      });
      const seconds = (performance.now() - began) / 1000 / (done?.size ?? 1);
      for (const target of done ?? []) {
        left.delete(target);
        this.#ended(target, kind, 'completed', seconds);
      }
    });
  }

  async #one(asked: Target, claim: AbortSignal): Promise<void> {
    const { db, kinds, deaths, report, queue } = this.#options;
    const { kind, target, lane, isSuspect } = asked;
    // what was added here just now is looked at no sooner than its end is written
    const task = isSuspect ? undefined : queue?.takeTask(target);
    if (!task && !(await isPending(db, target))) return;
    const began = performance.now();
    const end = (outcome: 'completed' | 'failed', ended?: Ended) => {
      this.#ended(target, kind, outcome, (performance.now() - began) / 1000, ended);
    };
    const fail = async (reason: Failure) => {
      if (await this.#retry.write(() => change(db, target, failed(reason)), { signal: claim })) end('failed');
    };
    if (isSuspect) {
      if ((await deaths.of(target)) >= MAX_DEATHS) return fail(failure('given_up', MAX_DEATHS));
      await deaths.begin(target);
      await change(db, target, QUEUED);
    }
    let isShown = false;
    try {
      const ended = await this.#attempt(
        () => isPending(db, target),
        claim,
        MAX_SECONDS[lane],
        async (signal) => {
          const progress = this.#progressOf(asked, kinds[kind], signal);
          try {
            const write = await kinds[kind].run(target, signal, progress.events, task);
            await progress.end();
            const onFull = (error: unknown) => queue?.notify(target, undefined, error);
            return await this.#retry.write(() => written(db, write), { signal, onFull });
          } finally {
            isShown = await progress.end();
          }
        },
      );
      if (ended) end('completed', ended);
    } catch (error) {
      if (claim.aborted || this.#closing.signal.aborted) {
        if (isShown) await change(db, target, QUEUED).catch(report);
        throw error;
      }
      const expected = expectedOf(error);
      if (!expected) report(error);
      await fail(expected ?? failure('defect'));
    } finally {
      // also where it lost the job as it slept: it has not died over it
      if (isSuspect) await deaths.end(target).catch(report);
    }
  }

  /**
   * Does some work for a claimed job, again while the store is locked or full.
   * @param isPending is asked again and again: the work is aborted where it is not
   * @returns `undefined` where nobody wants it any more
   * @throws the reason of the claim or of closing; a JobError where it takes more than `most` seconds; what `work` throws
   */
  async #attempt<T>(
    isPending: () => Promise<boolean>,
    claim: AbortSignal,
    most: number,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const gone = new AbortController();
    const late = new AbortController();
    const limit = Number.isFinite(most)
      ? setTimeout(() => {
          late.abort(TOO_LONG);
        }, most * IN_TIME)
      : undefined;
    const check = () => {
      isPending().then(
        (isIt) => {
          if (!isIt) gone.abort();
        },
        () => undefined, // the next check sees it
      );
    };
    const timer = setInterval(check, CHECK);
    const ignore = this.#options.queue?.onChange(check);
    const signal = AbortSignal.any([this.#closing.signal, claim, gone.signal, late.signal]);
    try {
      for (;;) {
        try {
          signal.throwIfAborted();
          return await work(signal);
        } catch (error) {
          if (gone.signal.aborted) return undefined;
          if (signal.aborted) throw signal.reason;
          if (expectedOf(error) || !mayPass(error)) throw error;
          await this.#retry.pause(signal).catch(() => undefined); // a reason of the signal is seen next
        }
      }
    } finally {
      clearInterval(timer);
      clearTimeout(limit);
      ignore?.();
    }
  }

  /** Stores how far a job is, one change after the other. */
  #progressOf({ target, lane, tenant }: Target, job: JobKind, signal: AbortSignal) {
    const { db, report } = this.#options;
    let last: Promise<unknown> = Promise.resolve();
    let late: NodeJS.Timeout | undefined;
    let isBegun = false;
    const store = (write: () => Promise<unknown>) => {
      // of thousands of series of a dataset only the ends are stored
      if (lane === 'dataset' && !job.progress) return;
      last = last.then(() => (signal.aborted ? undefined : write())).catch(report);
    };
    const begin = () => {
      clearTimeout(late);
      if (isBegun) return;
      isBegun = true;
      if (!job.progress) store(() => change(db, target, { status: 'IN_PROGRESS', progress: null }));
    };
    return {
      /** @returns whether it may be shown as begun */
      end: async (): Promise<boolean> => {
        clearTimeout(late);
        await last;
        return isBegun;
      },
      events: {
        isFirst: lane === 'forecast',
        tenant,
        onStart: () => {
          late = setTimeout(begin, BRIEF);
        },
        onProgress: (progress: TaskProgress) => {
          begin();
          store(() => (job.progress ?? progressed)(db, target, progress));
        },
      },
    };
  }

  #ended(target: string, kind: string, outcome: 'completed' | 'failed', seconds: number, ended?: Ended): void {
    this.#options.queue?.notify(target, ended);
    this.#options.watch?.ended?.(kind, outcome, seconds);
  }
}

/** Does all of these, so many at a time. @throws the first error, when what was under way has ended */
async function eachOf<T>(all: IterableIterator<T>, atATime: number, one: (item: T) => Promise<void>): Promise<void> {
  const work = async (): Promise<void> => {
    for (const item of all) await one(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: atATime }, work));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

const QUEUED = { status: 'QUEUED', progress: null };
const TOO_LONG = new JobError(failure('too_slow'));

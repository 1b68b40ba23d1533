/** Does the jobs that an engine gives to this program: run, progress, retry, fail, the same on every database. */
import { failure, type Failure } from '../../contract/failures.ts';
import { expectedOf, JobError } from '../errors.ts';
import type { TaskProgress } from '../tasks/series.ts';
import {
  type Capacities,
  change,
  CHANGE,
  type ClaimedJob,
  CLOSING,
  eachOf,
  type Ended,
  failed,
  forgetBegun,
  type GetTask,
  isPending,
  type Kinds,
  type Lane,
  pendingOf,
  progressed,
  type Queue,
  retried,
  written,
} from './queue.ts';

/** How often is looked whether the target of a job is still pending, in milliseconds. */
const CHECK = 2_000;
/** A job that takes less is never shown as IN_PROGRESS, in milliseconds. */
const BRIEF = 200;
/** Jobs of one tenant that are claimed for each thread: the next one is ready when a thread is. Twice as many of all tenants. */
const JOBS_PER_THREAD = 2;
const MAX_DEATHS = 3;

const HOUR = 3_600;
export const MAX_SECONDS: Readonly<Record<Lane, number>> = { forecast: HOUR, training: 23 * HOUR, dataset: HOUR };
/** So much of that in milliseconds of each second for each attempt to compute: it ends before it is given to another program. */
const IN_TIME = 950;

/** Which programs died over a job: those that began with it, and are seen to be gone. */
export interface Deaths {
  readonly program: string;
  of(target: string): Promise<number>;
  begin(target: string): Promise<void>;
}

export interface JobWatch {
  /** Each end of a job, once it is written, with the seconds since it began; its share where it was one of many. */
  readonly ended?: ((kind: string, outcome: 'completed' | 'failed', seconds: number) => void) | undefined;
  /** Jobs that are done again, by the names of their kinds: the program that had them does not renew them. */
  readonly lost?: ((kind: string) => void) | undefined;
}

interface RunnerOptions {
  readonly queue: Queue;
  readonly kinds: Kinds;
  readonly deaths: Deaths;
  readonly threads: number;
  readonly watch?: JobWatch | undefined;
}

type Claim = Pick<ClaimedJob, 'lane' | 'tenant' | 'signal'> &
  Readonly<{ kind: string; isSuspect: boolean; left: Set<string> }>;

export class Runner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    const { queue, threads } = this.#options;
    const all = 2 * JOBS_PER_THREAD * threads;
    const training = Math.max(1, threads - 1);
    const capacities: Capacities = {
      // of one tenant half; the others wait for none of it
      forecast: { most: all, ofOne: all / 2 },
      training: { most: training, ofOne: training },
      // a single forecast goes before the series of a dataset that have no thread yet, and those have one for moments each
      dataset: { most: 1, ofOne: 1 },
    };
    return queue.engine.start(capacities, (claimed) => this.#do(claimed));
  }

  async #do({ job, lane, tenant, isLost, signal }: ClaimedJob): Promise<readonly string[]> {
    const { queue, kinds, threads, watch } = this.#options;
    const { db, engine } = queue;
    const { kind, targets } = job;
    if (isLost) watch?.lost?.(kind);
    if (isLost && targets.length > 1) {
      // whether one of them ends programs is found by doing each by itself
      const alone = [...(await pendingOf(db, targets))].map((one) => ({ kind, targets: [one], isSuspect: true }));
      if (alone.length > 0) await engine.add(db, { lane, tenant }, alone, Number.MAX_SAFE_INTEGER);
      return [];
    }
    const left = new Set(targets);
    const claim: Claim = { kind, lane, tenant, signal, left, isSuspect: isLost || job.isSuspect === true };
    const run = (ids: readonly string[]) => this.#run(claim, ids);
    try {
      if (targets.length > 1) {
        // one slice is read and written while the others are computed
        await eachOf((await kinds[kind].slices?.(targets)) ?? [], threads + 1, run);
        const pending = await pendingOf(db, targets);
        for (const target of left) if (!pending.has(target)) left.delete(target);
      }
      // what takes long leaves a thread to the others
      const alone = Array.from(left, (target) => [target]);
      await eachOf(alone, lane === 'dataset' ? Math.max(1, threads - 1) : 1, run);
    } catch (error) {
      if (error !== CLOSING) throw error;
    }
    return [...left];
  }

  async #run(claim: Claim, ids: readonly string[]): Promise<void> {
    const { deaths, queue, watch } = this.#options;
    const { db, report } = queue;
    const { kind, isSuspect, left } = claim;
    const [target] = ids;
    const isAlone = ids.length === 1;
    // what was added here just now is looked at no sooner than its end is written
    const task = isAlone && !isSuspect ? queue.takeTask(target) : undefined;
    if (isAlone && !task && !(await isPending(db, target))) {
      left.delete(target);
      return;
    }
    const began = performance.now();
    const end = (outcome: 'completed' | 'failed', all: ReadonlyMap<string, Ended | undefined>) => {
      const seconds = (performance.now() - began) / 1000 / all.size;
      for (const [id, ended] of all) {
        left.delete(id);
        queue.notify(id, ended);
        watch?.ended?.(kind, outcome, seconds);
      }
    };
    const fail = async (reason: Failure) => {
      const signal = AbortSignal.any([queue.closing, claim.signal]);
      const write = () => change(db, target, failed(reason));
      if (await retried(write, { signal, report })) end('failed', new Map([[target, undefined]]));
      left.delete(target);
    };
    if (isSuspect) {
      if ((await deaths.of(target)) >= MAX_DEATHS) return fail(failure('given_up', MAX_DEATHS));
      await deaths.begin(target);
      await change(db, target, QUEUED);
    }
    try {
      end('completed', await this.#attempt(claim, ids, task));
    } catch (error) {
      if (claim.signal.aborted || queue.closing.aborted) throw error;
      // whose fault it is comes out when each is done by itself
      const expected = expectedOf(error);
      if (!expected) report(error);
      if (isAlone) await fail(expected ?? failure('defect'));
    } finally {
      // also where it lost the job as it slept: it has not died over it
      if (isSuspect) await forgetBegun(db, target, deaths.program).catch(report);
    }
    if (isAlone) left.delete(target);
  }

  /** Computes results and writes them, again while the store is locked or full. @returns what has ended, if it is still wanted */
  async #attempt(claim: Claim, ids: readonly string[], task?: GetTask): Promise<ReadonlyMap<string, Ended>> {
    const { kinds, queue } = this.#options;
    const { db, report } = queue;
    const [target] = ids;
    const gone = new AbortController();
    const look = async () => {
      if ((await pendingOf(db, ids)).size === 0) gone.abort();
    };
    const check = () => {
      look().catch(() => undefined); // the next check sees it
    };
    const timer = setInterval(check, CHECK);
    const ignore = queue.on(CHANGE, check);
    const signal = AbortSignal.any([queue.closing, claim.signal, gone.signal]);
    const progress = this.#progressOf(claim, target, signal);
    const compute = async () => {
      const late = new AbortController();
      const tooSlow = () => late.abort(new JobError(failure('too_slow')));
      const limit = setTimeout(tooSlow, MAX_SECONDS[claim.lane] * IN_TIME);
      try {
        signal.throwIfAborted();
        return await kinds[claim.kind].run(ids, AbortSignal.any([signal, late.signal]), progress.events, task);
      } finally {
        clearTimeout(limit);
        await progress.end();
      }
    };
    const onFull = (error: unknown) => queue.notify(target, undefined, error);
    try {
      const write = await retried(compute, { signal, report });
      return await retried(() => written(db, write), { signal, report, onFull });
    } catch (error) {
      if (gone.signal.aborted) return new Map();
      if (signal.aborted && progress.isShown()) await change(db, target, QUEUED).catch(report);
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearInterval(timer);
      ignore();
    }
  }

  #progressOf({ kind, lane, tenant }: Claim, target: string, signal: AbortSignal) {
    const { queue, kinds } = this.#options;
    const { db, report } = queue;
    const job = kinds[kind];
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
      isShown: () => isBegun,
      end: async () => {
        clearTimeout(late);
        await last;
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
}

const QUEUED = { status: 'QUEUED', progress: null };

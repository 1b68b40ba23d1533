/** The queue of jobs and who does them, above the engine that keeps it: what is stored of a resource says whether its job is done. */
import { type ExpressionBuilder, sql, type Updateable } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { failure, type Failure } from '../../contract/failures.ts';
import { pause } from '../../platform/pause.ts';
import { type Db, dialectOf, locking, type Tables, transaction } from '../database/store.ts';
import { BusyError, expectedOf, JobError, mayPass, storeTrouble } from '../errors.ts';
import { forgetMade } from '../store/creations.ts';
import { slicesOf } from '../store/points.ts';
import type { ForecastTask } from '../tasks/predict.ts';
import type { TaskProgress } from '../tasks/series.ts';
import type { TaskEvents } from '../tasks/pool.ts';
import type { Capacities, ClaimedJob, Engine, Job, Lane, Line } from './engine.ts';

/** The task of a thread for the only target, where it is known: a job that is done here and soon need not read it. */
type GetTask = () => Promise<ForecastTask>;

export interface JobKind {
  /** Those of many that are pending, in slices to be done together, each in about a second; absent where each is done by itself. */
  slices?(ids: readonly string[]): Promise<readonly (readonly string[])[]>;
  /** @param ids one, or a slice, of which the result leaves out what cannot be done so, to be done by itself */
  run(ids: readonly string[], signal: AbortSignal, events: TaskEvents, task?: GetTask): Promise<Write>;
  progress?(db: Db, id: string, progress: TaskProgress): Promise<unknown>;
}

export type Kinds = Readonly<Record<string, JobKind>>;

const MAX_WAITING: Readonly<Record<Lane, number>> = { forecast: 1_000, training: 100, dataset: 3_000 };
const SERIES_PER_JOB = 300;

/** Before it is looked again whether a job has ended, in milliseconds: soon at first, and each time so much longer. */
const POLL = { first: 10, last: 250, factor: 1.2 };
const MAX_TASKS = 100;

type Listener = (ended?: Ended, error?: unknown) => void;
const CHANGE = 'change';

export class Queue {
  readonly engine: Engine;
  readonly db: Db;
  readonly report: (error: unknown) => void;
  readonly #isHere: boolean;
  readonly #closing = new AbortController();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #tasks = new Map<string, GetTask>();

  /** @param isHere whether jobs are done in this program, which then notifies of their ends */
  constructor(engine: Engine, db: Db, report: (error: unknown) => void, isHere: boolean) {
    this.engine = engine;
    this.db = db;
    this.report = report;
    this.#isHere = isHere;
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Adds jobs; call {@link wake} after the commit. @throws BusyError where too many of their tenant wait already */
  async add(db: Db, { kind, targets, task, ...line }: Line & Job & { task?: GetTask | undefined }): Promise<void> {
    const jobs = Array.from(slicesOf(targets, SERIES_PER_JOB), (some) => ({ kind, targets: some }));
    const isAdded = jobs.length === 0 || (await this.engine.add(db, line, jobs, MAX_WAITING[line.lane]));
    if (!isAdded) throw new BusyError(failure('busy'));
    if (task && this.#isHere) this.#tasks.set(targets[0], task);
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > MAX_TASKS) this.#tasks.delete(oldest);
  }

  takeTask(target: string): GetTask | undefined {
    const task = this.#tasks.get(target);
    this.#tasks.delete(target);
    return task;
  }

  wake(): void {
    this.engine.wake?.();
  }

  /** Resolves when the job has ended, here or elsewhere. @throws the signal’s reason; an error of a full disk */
  async ended(target: string, signal?: AbortSignal): Promise<Ended | undefined> {
    const { db, closing } = this;
    const ends = AbortSignal.any(signal ? [closing, signal] : [closing]);
    for (let most = this.#isHere ? POLL.last : POLL.first; ; most = Math.min(POLL.last, POLL.factor * most)) {
      const ended = await this.#end(target, most, ends);
      if (ended) return ended;
      signal?.throwIfAborted();
      // connections may be few or gone for a while, which is no reason to give up what is being done
      const isStill = await isPending(db, target).catch((error: unknown) => {
        if (!mayPass(error)) throw error;
        return true;
      });
      if (!isStill) return undefined;
      if (!closing.aborted) continue;
      // who asks again under its key does not get this for an answer
      await this.cancel(target, failure('nobody_waits'), (db) => forgetMade(db, target));
      return undefined;
    }
  }

  /** Waits for the end of a job that is done here, or for a while. @throws an error of a full disk */
  async #end(target: string, most: number, signal: AbortSignal): Promise<Ended | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Ended | undefined>();
    const ignore = this.on(target, (ended, error) => {
      if (error) reject(error as Error);
      else resolve(ended);
    });
    const over = pause(most, signal).then(() => undefined);
    return Promise.race([promise, over]).finally(ignore);
  }

  /** @param name a target, for its end, or {@link CHANGE} @returns how to listen no more */
  on(name: string, listener: Listener): () => void {
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0) this.#listeners.delete(name);
    };
  }

  notify(target: string, ended?: Ended, error?: unknown): void {
    for (const listener of this.#listeners.get(target) ?? []) listener(ended, error);
  }

  /** Ends a pending job as FAILED. Never rejects. @param also is written in the same transaction */
  async cancel(target: string, reason: Failure, also?: (db: Db) => Promise<void>): Promise<void> {
    const { report, closing: signal } = this;
    const end = () =>
      transaction(this.db, async (db) => {
        if (await change(db, target, failed(reason))) await also?.(db);
      });
    await retried(end, { signal, report }).catch((error: unknown) => {
      if (error !== CLOSING) report(error);
    });
    this.notify(target);
    this.changed();
  }

  /** The resources of jobs were deleted, or are in a transaction that is under way: who works on one stops. */
  changed(): void {
    this.#tasks.clear();
    this.notify(CHANGE);
  }

  async answers(): Promise<boolean> {
    return !this.closing.aborted && (await this.engine.answers());
  }

  close(): Promise<void> {
    this.#closing.abort(CLOSING);
    return this.engine.close();
  }
}

const isPendingRow = sql<boolean>`status in ('QUEUED', 'IN_PROGRESS')`;

const isModel = (target: string): boolean => target.startsWith('model_');
const tableOf = (target: string) => (isModel(target) ? 'fine_tuned_models' : 'predictions');
const columnOf = (target: string) => (target.startsWith('batch_') ? 'batch_id' : 'id');

/** Pending rows of some targets of one kind: those of a batch, which one job makes all, models, or predictions. */
const pendingRows = (db: Db, targets: readonly string[]) => {
  const isOneOf = dialectOf(db).isOneOf(columnOf(targets[0]), targets).$castTo<boolean>();
  return db.selectFrom(tableOf(targets[0])).select('id').where(isOneOf).where(isPendingRow);
};

/** Those that are pending. @param others what of those that others have locked, where these are to be written */
export async function pendingOf(db: Db, targets: readonly string[], others?: 'wait' | 'skip'): Promise<Set<string>> {
  const rows = pendingRows(db, targets);
  const found = await (others ? rows.modifyEnd(locking(db, others)) : rows).execute();
  return new Set(found.map(({ id }) => id));
}

const isPending = async (db: Db, target: string): Promise<boolean> =>
  (await pendingRows(db, [target]).limit(1).executeTakeFirst()) !== undefined;

/** Forgets that a program began with a job; with one that has ended, that any did. */
export async function forgetBegun(db: Db, target: string, program: string): Promise<void> {
  const isOver = ({ eb, or, not, exists }: ExpressionBuilder<Tables, 'begun_jobs'>) =>
    or([eb('program', '=', program), not(exists(pendingRows(db, [target])))]);
  await db.deleteFrom('begun_jobs').where('target', '=', target).where(isOver).execute();
}

type Changes = Updateable<Tables['predictions']> | Updateable<Tables['fine_tuned_models']>;

export async function change(db: Db, target: string, changes: Changes): Promise<boolean> {
  const now = isModel(target) ? { updated_at: isoInstant(Date.now()) } : {};
  const changed = db.updateTable(tableOf(target)).set({ ...changes, ...now });
  const { numUpdatedRows } = await changed.where(columnOf(target), '=', target).where(isPendingRow).executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const failed = (reason: Failure) => ({ status: 'FAILED', progress: null, error: JSON.stringify(reason) });

const progressed = (db: Db, target: string, { fraction, training }: TaskProgress): Promise<boolean> =>
  change(db, target, { progress: fraction, ...(training && { training: JSON.stringify(training) }) });

/** Writes ends of jobs that are pending. @returns what the resources then have, by the targets */
export type Write = (db: Db) => Promise<ReadonlyMap<string, Ended>>;
export type Ended = Readonly<Record<string, unknown>>;

export const written = async (all: Db, write: Write): ReturnType<Write> => {
  const none: Awaited<ReturnType<Write>> = new Map();
  return transaction(all, async (db) => {
    const ended = await write(db);
    if (ended.size === 0) throw none;
    return ended;
  }).catch((error: unknown) => {
    if (error !== none) throw error;
    return none;
  });
};

export const CLOSING = new Error('The service closes.');

interface Retried {
  readonly signal: AbortSignal;
  readonly report?: (error: unknown) => void;
  readonly onFull?: (error: unknown) => void;
  readonly interval?: number;
  readonly timeout?: number;
}

/** Asks a store again that may be locked or full for a while: what was computed is not lost. @throws the signal's reason */
export async function retried<T>(
  work: () => Promise<T>,
  { signal, report, onFull, interval = 1_000, timeout = Infinity }: Retried,
): Promise<T> {
  const until = performance.now() + timeout;
  for (let isReported = false; ; isReported = true) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || performance.now() > until) throw error;
      if (!isReported) report?.(error);
      if (storeTrouble(error)?.status === 507) onFull?.(error);
      await pause(interval, signal);
      signal.throwIfAborted();
    }
  }
}

export async function eachOf<T>(all: Iterable<T>, atATime: number, one: (item: T) => Promise<void>): Promise<void> {
  const rest = (function* () {
    yield* all;
  })();
  const work = Array.from({ length: atATime }, async () => {
    for (const item of rest) await one(item);
  });
  await Promise.allSettled(work);
  await Promise.all(work);
}

const CHECK = 2_000; // how often is looked whether the target of a job is still pending, in milliseconds
const BRIEF = 200; // a job that takes less is never shown as IN_PROGRESS, in milliseconds
/** Jobs of one tenant that are claimed for each thread: the next one is ready when a thread is. Twice as many of all tenants. */
const JOBS_PER_THREAD = 2;
const MAX_DEATHS = 3;

const HOUR = 3_600;
export const MAX_SECONDS: Readonly<Record<Lane, number>> = { forecast: HOUR, training: 23 * HOUR, dataset: HOUR };
/** So much of that in milliseconds of each second for each attempt to compute: it ends before it is given to another program. */
const IN_TIME = 950;

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
      forecast: { most: all, ofOne: all / 2 }, // of one tenant half; the others wait for none of it
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
        await eachOf((await kinds[kind].slices?.(targets)) ?? [], threads + 1, run);
        const pending = await pendingOf(db, targets);
        for (const target of left) if (!pending.has(target)) left.delete(target);
      }
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

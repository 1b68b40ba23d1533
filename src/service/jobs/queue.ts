/** The queue of jobs, above the engine that keeps it: what is stored of a resource says whether its job is done. */
import { type ExpressionBuilder, sql, type Updateable } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { failure, type Failure } from '../../contract/failures.ts';
import { pause } from '../../platform/pause.ts';
import { type Db, dialectOf, locking, type Tables, transaction } from '../database/store.ts';
import { BusyError, mayPass, storeTrouble } from '../errors.ts';
import { forgetMade } from '../store/creations.ts';
import { slicesOf } from '../store/points.ts';
import type { ForecastTask } from '../tasks/predict.ts';
import type { TaskProgress } from '../tasks/series.ts';
import type { TaskEvents } from '../tasks/pool.ts';

export const LANES = ['forecast', 'training', 'dataset'] as const;
export type Lane = (typeof LANES)[number];

export interface Line {
  readonly lane: Lane;
  readonly tenant: string;
}

/** The task of a thread for the only target, where it is known: a job that is done here and soon need not read it. */
export type GetTask = () => Promise<ForecastTask>;

/** What a queue must know about a kind of job. Its ids name the resources that jobs bring to their ends. */
export interface JobKind {
  /** Those of many that are pending, in slices to be done together, each in about a second; absent where each is done by itself. */
  slices?(ids: readonly string[]): Promise<readonly (readonly string[])[]>;
  /** @param ids one, or a slice, of which the result leaves out what cannot be done so, to be done by itself */
  run(ids: readonly string[], signal: AbortSignal, events: TaskEvents, task?: GetTask): Promise<Write>;
  /** Stores how far a job is, and that it has begun; where absent, its resource says so. */
  progress?(db: Db, id: string, progress: TaskProgress): Promise<unknown>;
}

export type Kinds = Readonly<Record<string, JobKind>>;

export interface Job {
  readonly kind: string;
  /** Of a dataset some hundred, so that a job takes a second or two. */
  readonly targets: readonly string[];
  readonly isSuspect?: boolean | undefined;
}

export interface ClaimedJob extends Line {
  readonly job: Job;
  /** Whether another program had it, and did not renew its lease. */
  readonly isLost: boolean;
  readonly signal: AbortSignal;
}

export interface Waiting {
  readonly lane: Lane;
  readonly jobs: number;
  /** How long the oldest has waited, in seconds. */
  readonly age: number;
}

/** How many jobs of each lane a program has at a time, and how many of those of one tenant. */
export type Capacities = Readonly<Record<Lane, { readonly most: number; readonly ofOne: number }>>;

/** Does a job. @returns the targets that it did not do, which go back into the queue */
export type Work = (job: ClaimedJob) => Promise<readonly string[]>;

/** What keeps jobs that wait, and gives each to one program at a time: a table of the store, or pg-boss. */
export interface Engine {
  /**
   * Adds jobs in the transaction of their resources, as of fair queueing (Demers, Keshav, Shenker 1989): the first comes behind
   * the last of its own tenant, and not before the first of any; the others behind it.
   * @param most that may wait of the tenant in this lane before them
   * @returns whether they were added
   */
  add(db: Db, line: Line, jobs: readonly Job[], most: number): Promise<boolean>;
  start(capacities: Capacities, work: Work): Promise<void>;
  wake?(): void;
  /** Whether jobs can be added and are asked for. Never rejects. */
  answers(): Promise<boolean>;
  waiting(): Promise<readonly Waiting[]>;
  close(): Promise<void>;
}

const MAX_WAITING: Readonly<Record<Lane, number>> = { forecast: 1_000, training: 100, dataset: 3_000 };
const SERIES_PER_JOB = 300;

/** Before it is looked again whether a job has ended, in milliseconds: soon at first, and each time so much longer. */
const POLL = { first: 10, last: 250, factor: 1.2 };
const MAX_TASKS = 100;

type Listener = (ended?: Ended, error?: unknown) => void;
export const CHANGE = 'change';

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

  /** A job has ended here. @param error of the store, where the disk is full */
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

export const isPending = async (db: Db, target: string): Promise<boolean> =>
  (await pendingRows(db, [target]).limit(1).executeTakeFirst()) !== undefined;

/** Forgets that a program began with a job; with one that has ended, that any did. */
export async function forgetBegun(db: Db, target: string, program: string): Promise<void> {
  const isOver = ({ eb, or, not, exists }: ExpressionBuilder<Tables, 'begun_jobs'>) =>
    or([eb('program', '=', program), not(exists(pendingRows(db, [target])))]);
  await db.deleteFrom('begun_jobs').where('target', '=', target).where(isOver).execute();
}

type Changes = Updateable<Tables['predictions']> | Updateable<Tables['fine_tuned_models']>;

/** Changes what is pending. @returns whether it was */
export async function change(db: Db, target: string, changes: Changes): Promise<boolean> {
  const now = isModel(target) ? { updated_at: isoInstant(Date.now()) } : {};
  const changed = db.updateTable(tableOf(target)).set({ ...changes, ...now });
  const { numUpdatedRows } = await changed.where(columnOf(target), '=', target).where(isPendingRow).executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const failed = (reason: Failure) => ({ status: 'FAILED', progress: null, error: JSON.stringify(reason) });

export const progressed = (db: Db, target: string, { fraction, training }: TaskProgress): Promise<boolean> =>
  change(db, target, { progress: fraction, ...(training && { training: JSON.stringify(training) }) });

/** Writes ends of jobs that are pending. @returns what the resources then have, by the targets */
export type Write = (db: Db) => Promise<ReadonlyMap<string, Ended>>;
export type Ended = Readonly<Record<string, unknown>>;

/** Does what `write` does whole, or nothing of it where no job was pending. */
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

/** The service closes: what waits goes on at its next start. */
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

/** Does all of these, so many at a time, until one fails. @throws the first error, when what was under way has ended */
export async function eachOf<T>(all: Iterable<T>, atATime: number, one: (item: T) => Promise<void>): Promise<void> {
  // ended by the first that fails, for the others too
  const rest = (function* () {
    yield* all;
  })();
  const work = Array.from({ length: atATime }, async () => {
    for (const item of rest) await one(item);
  });
  await Promise.allSettled(work);
  await Promise.all(work);
}
